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
