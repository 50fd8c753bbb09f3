/// The name of a user of a receiving server. Records of different users are stored separately.
package struct UserName: Hashable, Sendable, CustomStringConvertible {
    /// 1 to 64 lower-case ASCII letters, digits, `.`, `_` and `-`, starting with a letter or digit, so that it is also
    /// a valid folder name.
    package let text: String

    /// Returns `nil` if `text` is not a valid name.
    package init?(_ text: String) {
        guard (1...64).contains(text.utf8.count), let first = text.utf8.first, Self.isLetterOrDigit(first),
            text.utf8.allSatisfy({ Self.isLetterOrDigit($0) || $0 == 0x2E || $0 == 0x5F || $0 == 0x2D })
        else { return nil }
        self.text = text
    }

    private init(unchecked text: String) { self.text = text }

    /// The user of a server on loopback that has no tokens.
    package static let local = UserName(unchecked: "local")

    /// The name.
    package var description: String { text }

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte)
    }
}
