/// The text of a token as a client carries it: `hst_<16 hex: id>_<64 hex: secret>`.
package struct AccessTokenText: Hashable, Sendable {
    /// By which it is looked up.
    package let id: String
    /// 32 bytes.
    package let secret: [UInt8]

    /// A token of 8 bytes of id and 32 bytes of secret; `nil` for other lengths.
    package init?(idBytes: [UInt8], secret: [UInt8]) {
        guard idBytes.count == 8, secret.count == 32 else { return nil }
        id = HexDigits.text(idBytes)
        self.secret = secret
    }

    /// Reads the text; `nil` for anything else.
    package init?(_ text: some StringProtocol) {
        let bytes = Array(text.utf8)
        guard bytes.count == 85, bytes.starts(with: "hst_".utf8), bytes[20] == 0x5F,
            let idBytes = Self.bytes(bytes[4..<20]), let secret = Self.bytes(bytes[21...])
        else { return nil }
        id = HexDigits.text(idBytes)
        self.secret = secret
    }

    /// The text; to be shown once.
    package var text: String { "hst_\(id)_\(HexDigits.text(secret))" }

    private static func bytes(_ text: ArraySlice<UInt8>) -> [UInt8]? {
        var bytes: [UInt8] = []
        var high: UInt8?
        for character in text {
            // A token has one text: capital letters are not it.
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
