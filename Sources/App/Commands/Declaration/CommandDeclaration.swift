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

    /// Creates a command with the words of `name`.
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

    /// The words of its name, separated by spaces.
    package var name: String { path.joined(separator: " ") }

    /// `healthsync daily [OPTIONS]`.
    var usage: String {
        (["healthsync"] + path + arguments.map(\.spelling) + ["[OPTIONS]"]).joined(separator: " ")
    }
}
