/// Tolerated faults in the text of a record that was used nevertheless.
struct AttributeFaults: OptionSet, Hashable {
    let rawValue: UInt8

    /// A reference to a character that is illegal in XML.
    static let illegalReference = AttributeFaults(rawValue: 1)
    /// A control character in a value.
    static let controlCharacter = AttributeFaults(rawValue: 2)
    /// Bytes that are not UTF-8.
    static let notUTF8 = AttributeFaults(rawValue: 4)
    /// An unescaped `<` or `&`.
    static let unescaped = AttributeFaults(rawValue: 8)
    /// An attribute name with a space in it.
    static let spacedName = AttributeFaults(rawValue: 16)
    /// An attribute written twice with the same value.
    static let writtenTwice = AttributeFaults(rawValue: 32)
    /// Two attributes without a space between them.
    static let missingSpace = AttributeFaults(rawValue: 64)

    /// A description of each fault, for the account.
    var descriptions: [String] {
        let phrases: [(AttributeFaults, String)] = [
            (.illegalReference, "reference to an illegal character"),
            (.controlCharacter, "control character in a value"),
            (.notUTF8, "bytes that are not UTF-8"), (.unescaped, "unescaped < or & in a value"),
            (.spacedName, "space in an attribute name"), (.writtenTwice, "attribute written twice"),
            (.missingSpace, "no space between attributes"),
        ]
        return phrases.filter { contains($0.0) }.map(\.1)
    }
}
