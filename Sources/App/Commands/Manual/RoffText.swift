/// Text of a manual page in the man macros of roff.
struct RoffText {
    private var lines: [String]

    /// Begins the page `name` of a section of the manual with its title and its line under "Name".
    init(_ name: String, section: Int, purpose: String, version: String) {
        lines = [".TH \(name.uppercased().replacing("-", with: "\\-")) \(section) \"\" \"healthsync \(version)\""]
        heading("Name")
        line("\(name) - \(purpose)")
    }

    mutating func heading(_ text: String) { lines.append(".SH \(text.uppercased())") }

    mutating func subheading(_ text: String) { lines.append(".SS \"\(Self.escaped(text))\"") }

    mutating func paragraph(_ text: String) { lines += [".PP", Self.line(text)] }

    /// Adds a line after a heading, which begins a paragraph itself.
    mutating func line(_ text: String) { lines.append(Self.line(text)) }

    /// Adds a term in bold, which is plain text, and its meaning.
    mutating func item(_ term: String, _ meaning: String) {
        lines += [".TP", ".B \"\(Self.escaped(term))\"", Self.line(meaning)]
    }

    /// Adds lines that are shown as they are.
    mutating func verbatim(_ text: [String]) { lines += [".PP", ".nf"] + text.map(Self.line) + [".fi"] }

    /// The page.
    var text: String { lines.joined(separator: "\n") + "\n" }

    /// Returns `text` for the start of a line, where roff expects requests.
    private static func line(_ text: String) -> String {
        let text = escaped(text)
        return text.hasPrefix(".") || text.hasPrefix("'") ? "\\&" + text : text
    }

    private static func escaped(_ text: String) -> String {
        var escaped = ""
        for character in text {
            switch character {
            case "\\": escaped += "\\e"
            case "-": escaped += "\\-"
            case "`": escaped += "\\(ga"
            case "\"": escaped += "\\(dq"
            case "…": escaped += "\\&..."
            case "’": escaped += "\\(cq"
            default: escaped.append(character)
            }
        }
        return escaped
    }
}
