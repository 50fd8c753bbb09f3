/// The declaration of a command, from which parsing, help and suggestions are derived.
package struct CommandDeclaration: Sendable, Hashable {
    /// The words of its name: `["daily"]`, `["outbox", "list"]`.
    package let path: [String]
    /// What it does, in the imperative, without a full stop.
    package let summary: String
    /// Paragraphs for `help COMMAND`.
    package let discussion: [String]
    package let arguments: [ArgumentDeclaration]
    /// Its own options, without the global ones.
    package let options: [OptionDeclaration]
    /// Example command lines without the program's name.
    package let examples: [String]
    /// What it uses beyond the local database.
    package let uses: Set<Use>
    /// The task of the user that it serves, as help groups commands: `Every day`. `CommandTable` sets it.
    package internal(set) var group = ""

    /// Something outside the local database. A global option that concerns something else is rejected or ignored.
    package enum Use: Sendable, Hashable {
        /// The sources of `--source` and the configuration.
        case sources
        /// The server, so that a missing token is an error.
        case server
    }

    /// Creates a command with the words of `name`.
    package init(
        _ name: String, _ summary: String, discussion: [String] = [], arguments: [ArgumentDeclaration] = [],
        options: [OptionDeclaration] = [], examples: [String] = [], uses: Set<Use> = []
    ) {
        path = name.split(separator: " ").map(String.init)
        self.summary = summary
        self.discussion = discussion
        self.arguments = arguments
        self.options = options
        self.examples = examples
        self.uses = uses
    }

    /// The words of its name, separated by spaces.
    package var name: String { path.joined(separator: " ") }

    /// Returns `healthsync daily [OPTIONS]`, with the name of the program.
    func usage(of program: String) -> String {
        ([program] + path + arguments.map(\.spelling) + ["[OPTIONS]"]).joined(separator: " ")
    }

    /// Returns `commands` by group, in the order in which the groups begin.
    static func grouped(_ commands: [CommandDeclaration]) -> [(group: String, commands: [CommandDeclaration])] {
        var groups: [(group: String, commands: [CommandDeclaration])] = []
        for command in commands {
            if let index = groups.firstIndex(where: { $0.group == command.group }) {
                groups[index].commands.append(command)
            } else {
                groups.append((command.group, [command]))
            }
        }
        return groups
    }
}

/// A positional argument, as it is parsed and as help shows it.
package struct ArgumentDeclaration: Sendable, Hashable {
    /// Its placeholder in help, such as `SOURCE`.
    package let name: String
    /// A description without a full stop.
    package let summary: String
    /// Whether it may be omitted.
    package let isOptional: Bool
    /// Whether it may be repeated; only the last argument may.
    package let repeats: Bool

    /// Creates an argument with the placeholder `name`.
    package init(_ name: String, _ summary: String, isOptional: Bool = false, repeats: Bool = false) {
        self.name = name
        self.summary = summary
        self.isOptional = isOptional
        self.repeats = repeats
    }

    /// The argument as a usage line shows it: `SOURCE`, `[DAY]`, `[ID...]`.
    var spelling: String {
        let text = name + (repeats ? "..." : "")
        return isOptional ? "[\(text)]" : text
    }
}

/// An option of the command line, as it is parsed and as help shows it.
package struct OptionDeclaration: Sendable, Hashable {
    /// The long name without dashes, such as `data-dir`.
    package let name: String
    /// The letter of its short form, such as `q` for `-q`.
    package let letter: Character?
    /// The placeholder of its value in help, such as `FOLDER`; `nil` for an option without a value.
    package let valueName: String?
    /// Whether the value may be omitted.
    package let isValueOptional: Bool
    /// Whether it may be repeated.
    package let repeats: Bool
    /// What it does, in the imperative, without a full stop.
    package let summary: String
    /// The default that help shows in parentheses.
    package let defaultText: String?

    private init(
        _ name: String, letter: Character?, valueName: String?, repeats: Bool, summary: String, defaultText: String?,
        isValueOptional: Bool = false
    ) {
        self.name = name
        self.letter = letter
        self.valueName = valueName
        self.isValueOptional = isValueOptional
        self.repeats = repeats
        self.summary = summary
        self.defaultText = defaultText
    }

    /// Declares an option without a value.
    package static func flag(_ name: String, letter: Character? = nil, _ summary: String) -> Self {
        Self(name, letter: letter, valueName: nil, repeats: false, summary: summary, defaultText: nil)
    }

    /// Declares an option with a value.
    package static func value(
        _ name: String, _ valueName: String, _ summary: String, default defaultText: String? = nil,
        repeats: Bool = false
    ) -> Self {
        Self(name, letter: nil, valueName: valueName, repeats: repeats, summary: summary, defaultText: defaultText)
    }

    /// Declares an option whose value may be omitted; the text is then empty. The next word is the value unless it
    /// begins with a dash.
    package static func optionalValue(
        _ name: String, _ valueName: String, _ summary: String, default defaultText: String? = nil
    ) -> Self {
        Self(
            name, letter: nil, valueName: valueName, repeats: false, summary: summary, defaultText: defaultText,
            isValueOptional: true)
    }

    /// The option as it is typed: `--data-dir FOLDER`, `--dashboard [HOST:PORT]`.
    var spelling: String {
        guard let valueName else { return "--\(name)" }
        return "--\(name) " + (isValueOptional ? "[\(valueName)]" : valueName)
    }
}

/// The options of every command.
package enum GlobalOptions {
    /// The options, in the order of help.
    package static let all: [OptionDeclaration] = [
        .value(
            "source", "PATH", "Read this file, folder or archive; may be repeated",
            default: "sources of the configuration", repeats: true),
        .value(
            "data-dir", "FOLDER", "Keep the database in this folder", default: "$XDG_DATA_HOME/healthsync"),
        .value(
            "config", "FILE", "Read the configuration from this file",
            default: "$XDG_CONFIG_HOME/healthsync/config.json"),
        .value("zone", "ZONE", "Use the days of this IANA time zone", default: "the system's time zone"),
        .value(
            "server", "URL", "Deliver to this server; `none` delivers to no server",
            default: "none; all data stays local"),
        .value("token-file", "FILE", "Read the server's token from this file, which only you may read"),
        .flag("json", "Print the result as JSON"),
        .flag("quiet", letter: "q", "Print results and errors only; nothing for a run that succeeds"),
        .flag("verbose", letter: "v", "Print details of each step"),
        .value(
            "log-level", "LEVEL", "Log events of this level and above: debug, info, warning or error",
            default: "info; debug with --verbose, error with --quiet"),
        .flag("help", letter: "h", "Print help and exit"),
        .flag("version", "Print the version and exit"),
    ]
}

/// The name of the program in messages. The program of a plug-in has another one, with which its commands are typed.
struct ProgramName: Sendable {
    /// The name in the texts of this package.
    static let standard = "healthsync"

    let name: String

    /// Returns `text`, which this package wrote, with the commands of the program under its own name.
    func applied(to text: String) -> String {
        guard name != Self.standard else { return text }
        let replaced = text.replacing("`\(Self.standard) ", with: "`\(name) ")
            .replacing("(\(Self.standard) ", with: "(\(name) ")
            .replacing("usage: \(Self.standard) ", with: "usage: \(name) ")
        return replaced.hasPrefix("\(Self.standard): ")
            ? name + String(replaced.dropFirst(Self.standard.count)) : replaced
    }
}
