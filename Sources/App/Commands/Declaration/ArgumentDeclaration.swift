/// A word of the command line that is no option, as it is parsed and as help shows it.
package struct ArgumentDeclaration: Sendable, Hashable {
    /// What stands for it in help, such as `SOURCE`.
    package let name: String
    /// What it is, as a sentence without a full stop.
    package let summary: String
    /// Whether it may be left out.
    package let isOptional: Bool
    /// Whether several may be given; only the last argument repeats.
    package let repeats: Bool

    /// An argument called `name`.
    package init(_ name: String, _ summary: String, isOptional: Bool = false, repeats: Bool = false) {
        self.name = name
        self.summary = summary
        self.isOptional = isOptional
        self.repeats = repeats
    }

    /// The argument in a usage line: `SOURCE`, `[DAY]`, `[ID...]`.
    var spelling: String {
        let text = name + (repeats ? "..." : "")
        return isOptional ? "[\(text)]" : text
    }
}
