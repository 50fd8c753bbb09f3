extension StringProtocol {
    /// Without the spaces at both ends; other white space stays.
    package var withoutOuterSpaces: String { withoutEnds(where: { $0 == " " }) }

    /// Without the characters at both ends for which `isLeftOut` holds.
    package func withoutEnds(where isLeftOut: (Character) -> Bool) -> String {
        let rest = drop(while: isLeftOut)
        guard let last = rest.lastIndex(where: { !isLeftOut($0) }) else { return "" }
        return String(rest[...last])
    }
}
