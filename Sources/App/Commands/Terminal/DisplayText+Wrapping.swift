extension DisplayText {
    /// Returns the lines of `text`, broken between words so that they fit into `columns`. A word that is longer has a line
    /// of its own and is not broken, so that paths and identifiers can be copied. Does not break lines if `columns` is
    /// `nil`.
    package static func wrapped(_ text: String, columns: Int?) -> [String] {
        guard let columns, width(text) > columns else { return [text] }
        var lines: [String] = []
        var line = ""
        for word in text.split(separator: " ") {
            if !line.isEmpty, width(line) + 1 + width(String(word)) > columns {
                lines.append(line)
                line = ""
            }
            line += line.isEmpty ? String(word) : " \(word)"
        }
        return lines + [line]
    }

    /// Returns the lines of `text` like `wrapped`, with the indentation of `text`, and two columns more from the second
    /// line on.
    static func indented(_ text: String, columns: Int?) -> [String] {
        guard let columns, width(text) > columns else { return [text] }
        let own = text.prefix { $0 == " " }.count
        let lines = wrapped(String(text.dropFirst(own)), columns: max(1, columns - own - 2))
        return lines.enumerated().map { index, line in
            String(repeating: " ", count: own + (index == 0 ? 0 : 2)) + line
        }
    }

    /// Returns the width of the longest word of `text`.
    static func longestWord(_ text: String) -> Int {
        text.split(separator: " ").map { width(String($0)) }.max() ?? 0
    }
}
