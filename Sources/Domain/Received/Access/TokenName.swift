/// The name that a user gave an access token, such as `Anna's laptop`.
package struct TokenName: Hashable, Sendable {
    /// 1 to 64 characters without commas, control characters and outer spaces.
    package let text: String

    /// Returns `nil` if `text` is not a valid name. Outer spaces are removed.
    package init?(_ text: String) {
        let text = text.withoutOuterSpaces
        guard (1...64).contains(text.count), text.utf8.count <= 256, !text.containsBytes(of: ","),
            !text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control })
        else { return nil }
        self.text = text
    }

    /// What a valid name is.
    package static let advice = "use 1 to 64 characters without commas"

    /// Returns the name of a phone as the phone states it: without commas and characters that a terminal or browser does not
    /// show or reorders, and shortened; `nil` if nothing is left.
    package init?(stated text: String) {
        var scalars = String.UnicodeScalarView()
        for scalar in text.unicodeScalars.prefix(Self.mostStatedScalars) {
            switch scalar.properties.generalCategory {
            case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator:
                scalars.append(" ")
            default: scalars.append(scalar == "," ? " " : scalar)
            }
        }
        self.init(String(scalars))
    }

    /// The number of first Unicode scalars of a stated name that count: 64 of four bytes are within the limits of a name.
    private static let mostStatedScalars = 64
}
