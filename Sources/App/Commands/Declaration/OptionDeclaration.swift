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
