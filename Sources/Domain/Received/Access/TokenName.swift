/// The name that a user gave an access token, such as `Anna's laptop`.
package struct TokenName: Hashable, Sendable {
    /// 1 to 64 characters without commas, control characters and outer spaces.
    package let text: String

    /// Returns `nil` if `text` is not a valid name. Outer spaces are removed.
    package init?(_ text: String) {
        let text = text.withoutOuterSpaces
        guard (1...64).contains(text.count), text.utf8.count <= 256, !text.contains(","),
            !text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control })
        else { return nil }
        self.text = text
    }

    /// What a valid name is.
    package static let advice = "use 1 to 64 characters without commas"
}
