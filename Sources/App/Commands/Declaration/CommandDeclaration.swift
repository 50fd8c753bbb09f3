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
