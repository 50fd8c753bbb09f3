/// A command of the command line: the one place from which parsing, help and suggestions come.
package struct CommandDeclaration: Sendable, Hashable {
    /// The words that name it: `["daily"]`, `["outbox", "list"]`.
    package let path: [String]
    /// What it does, as a sentence without a full stop.
    package let summary: String
    /// Paragraphs for `help COMMAND`.
    package let discussion: [String]
    package let arguments: [ArgumentDeclaration]
    /// Its own options; the global ones go with every command.
    package let options: [OptionDeclaration]
    /// Command lines without the program's name, for help.
    package let examples: [String]

    /// A command named by the words of `name`.
    package init(
        _ name: String, _ summary: String, discussion: [String] = [], arguments: [ArgumentDeclaration] = [],
        options: [OptionDeclaration] = [], examples: [String] = []
    ) {
        path = name.split(separator: " ").map(String.init)
        self.summary = summary
        self.discussion = discussion
        self.arguments = arguments
        self.options = options
        self.examples = examples
    }

    /// The words that name it, with spaces.
    package var name: String { path.joined(separator: " ") }

    /// `healthsync daily [OPTIONS]`.
    var usage: String {
        (["healthsync"] + path + arguments.map(\.spelling) + ["[OPTIONS]"]).joined(separator: " ")
    }
}
