extension StringProtocol {
    /// The text without the spaces at both ends. Other white space is kept.
    package var withoutOuterSpaces: String { withoutEnds(where: { $0 == " " }) }

    /// Returns the text without the characters at both ends that satisfy `isLeftOut`.
    package func withoutEnds(where isLeftOut: (Character) -> Bool) -> String {
        let rest = drop(while: isLeftOut)
        guard let last = rest.lastIndex(where: { !isLeftOut($0) }) else { return "" }
        return String(rest[...last])
    }
}
