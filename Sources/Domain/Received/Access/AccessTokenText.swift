/// The text of a token as a client sends it: `hst_<id: 16 hex digits>_<secret: 64 hex digits>`.
package struct AccessTokenText: Hashable, Sendable {
    /// The id of the token, 16 hexadecimal digits.
    package let id: String
    /// The secret, 32 bytes.
    package let secret: [UInt8]

    /// Creates the text from an id of 8 bytes and a secret of 32 bytes; `nil` for other lengths.
    package init?(idBytes: [UInt8], secret: [UInt8]) {
        guard idBytes.count == 8, secret.count == 32 else { return nil }
        id = HexDigits.text(idBytes)
        self.secret = secret
    }

    /// Parses a text; `nil` if it is not a token.
    package init?(_ text: some StringProtocol) {
        let bytes = Array(text.utf8)
        guard bytes.count == 85, bytes.starts(with: "hst_".utf8), bytes[20] == 0x5F,
            let idBytes = Self.bytes(bytes[4..<20]), let secret = Self.bytes(bytes[21...])
        else { return nil }
        id = HexDigits.text(idBytes)
        self.secret = secret
    }

    /// Returns whether `text` is the id of a token.
    package static func isID(_ text: String) -> Bool {
        text.utf8.count == 16 && bytes(Array(text.utf8)[...]) != nil
    }

    /// The complete text, including the secret.
    package var text: String { "hst_\(id)_\(HexDigits.text(secret))" }

    private static func bytes(_ text: ArraySlice<UInt8>) -> [UInt8]? {
        var bytes: [UInt8] = []
        var high: UInt8?
        for character in text {
            // Capital digits are rejected, so that each token has exactly one text.
            guard !(0x41...0x46).contains(character), let digit = HexDigits.value(character) else { return nil }
            if let first = high {
                bytes.append(first << 4 | digit)
                high = nil
            } else {
                high = digit
            }
        }
        return bytes
    }
}
