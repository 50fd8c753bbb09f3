import HealthSyncDomain

/// `healthsync man`
enum ManCommand: Command {
    static let declaration = CommandDeclaration(
        "man", "Print a manual page for `man`",
        arguments: [
            ArgumentDeclaration(
                "PAGE", "healthsync.1, healthsync-config.5 or healthsync-serve.8", isOptional: true)
        ], examples: ["man", "man healthsync-config.5"])

    static func run(in context: CommandContext) async throws -> ExitStatus {
        let name = context.parsed.arguments.first ?? ManualPages.names[0]
        let pages = ManualPages(commands: CommandTable.declarations, version: context.environment.version)
        guard let page = pages.page(name) else {
            throw SyncFailure.usage(
                name, "no such page", advice: "use one of \(ManualPages.names.joined(separator: ", "))")
        }
        context.environment.output(
            context.parsed.has("json") ? JSONText.document(["page": name, "roff": page]) : page)
        return .done
    }
}

/// The manual pages, generated from the declarations of commands and the table of settings.
private struct ManualPages: Sendable {
    private let commands: [CommandDeclaration]
    private let version: String

    package init(commands: [CommandDeclaration], version: String) {
        self.commands = commands
        self.version = version
    }

    /// The names of the pages with their sections.
    package static let names = ["healthsync.1", "healthsync-config.5", "healthsync-serve.8"]

    /// Returns the page with a name of `names`, as roff; `nil` for another name.
    package func page(_ name: String) -> String? {
        switch name {
        case "healthsync.1": program
        case "healthsync-config.5": configuration
        case "healthsync-serve.8": server
        default: nil
        }
    }

    private var program: String {
        var page = RoffText(
            "healthsync", section: 1,
            purpose: "import health data from files, store it locally and deliver it to your server", version: version)
        page.heading("Synopsis")
        page.line("healthsync COMMAND [OPTIONS]")
        page.heading("Description")
        page.line(
            "Imports the exports and posts of phones into a local database, derives figures of each day, and delivers them "
                + "to a server of your own.")
        page.heading("Global options")
        Self.add(GlobalOptions.all, to: &page)
        for (group, commands) in CommandDeclaration.grouped(commands) {
            page.heading(group.isEmpty ? "Commands" : group)
            for command in commands { add(command, to: &page) }
        }
        page.heading("Exit status")
        for status in ExitStatus.allCases { page.item("\(status.rawValue)", status.meaning) }
        addEnvironment(to: &page)
        page.heading("See also")
        page.line("healthsync-config(5), healthsync-serve(8)")
        return page.text
    }

    private var configuration: String {
        var page = RoffText("healthsync-config", section: 5, purpose: "configuration of healthsync", version: version)
        page.heading("Description")
        page.line(
            "The configuration is one optional JSON file: $XDG_CONFIG_HOME/healthsync/config.json "
                + "(~/.config/healthsync/config.json), or the file that --config or HEALTHSYNC_CONFIG names. Options "
                + "override environment variables, which override the file. A key with dots is in nested objects. "
                + "Relative paths are relative to the folder of the file.")
        page.heading("Keys")
        for setting in Setting.all {
            let others = [setting.option.map { "--\($0)" }, setting.variable].compactMap(\.self)
            let meaning = setting.summary + "." + (others.isEmpty ? "" : " Also: \(others.joined(separator: ", ")).")
            page.item(setting.key, meaning + Self.range(setting))
        }
        addEnvironment(to: &page)
        page.heading("Examples")
        page.line("A configuration:")
        page.verbatim([
            "{", #"  "sources": ["~/Downloads/export.zip"],"#, #"  "zone": "Europe/Paris","#,
            #"  "server": { "url": "https://health.example.org", "tokenFile": "token" }"#, "}",
        ])
        page.heading("See also")
        page.line("healthsync(1)")
        return page.text
    }

    private var server: String {
        var page = RoffText(
            "healthsync-serve", section: 8, purpose: "receive health records over HTTP and store them", version: version
        )
        page.heading("Commands")
        for command in commands where ["serve", "token"].contains(command.path[0]) { add(command, to: &page) }
        page.heading("Global options")
        Self.add(GlobalOptions.all, to: &page)
        page.heading("Signals")
        page.item("SIGHUP", "Reads certificate, key and tokens again")
        page.item("SIGTERM, SIGINT", "Completes pending requests and ends")
        page.heading("See also")
        page.line("healthsync(1), healthsync-config(5)")
        return page.text
    }

    private func add(_ command: CommandDeclaration, to page: inout RoffText) {
        page.subheading(command.usage(of: ProgramName.standard))
        page.line(command.summary + ".")
        for paragraph in command.discussion { page.paragraph(paragraph) }
        for argument in command.arguments { page.item(argument.name, argument.summary) }
        Self.add(command.options, to: &page)
        if !command.examples.isEmpty {
            page.paragraph("Examples:")
            page.verbatim(command.examples.map { "healthsync \($0)" })
        }
    }

    private static func add(_ options: [OptionDeclaration], to page: inout RoffText) {
        for option in options {
            let letter = option.letter.map { "-\($0), " } ?? ""
            page.item(
                letter + option.spelling,
                option.summary + (option.defaultText.map { " (default: \($0))" } ?? ""))
        }
    }

    private static func range(_ setting: Setting) -> String {
        guard case .wholeNumber(let range) = setting.values else { return "" }
        return range.upperBound == .max
            ? " A whole number from \(range.lowerBound)."
            : " A whole number from \(range.lowerBound) to \(range.upperBound)."
    }

    private func addEnvironment(to page: inout RoffText) {
        page.heading("Environment")
        page.line(Setting.variables.joined(separator: ", ") + ".")
    }
}

/// Text of a manual page in the man macros of roff.
private struct RoffText {
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
