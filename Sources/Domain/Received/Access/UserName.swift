/// Whose data it is: the name under which a receiving server keeps one person's records apart from all others.
package struct UserName: Hashable, Sendable, CustomStringConvertible {
    /// 1 to 64 lower-case letters, digits, `.`, `_` and `-`, beginning with a letter or digit: fit for a folder's name.
    package let text: String

    /// Reads a name; `nil` when it holds anything else.
    package init?(_ text: String) {
        guard (1...64).contains(text.utf8.count), let first = text.utf8.first, Self.isLetterOrDigit(first),
            text.utf8.allSatisfy({ Self.isLetterOrDigit($0) || $0 == 0x2E || $0 == 0x5F || $0 == 0x2D })
        else { return nil }
        self.text = text
    }

    private init(unchecked text: String) { self.text = text }

    /// The owner of everything on a server that only its own machine reaches and that has no tokens.
    package static let local = UserName(unchecked: "local")

    /// The name.
    package var description: String { text }

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte)
    }
}
