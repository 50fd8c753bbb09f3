/// Percent-encoding as defined in RFC 3986.
package enum PercentEncoding {
    /// Returns `text` with all characters except the unreserved ones encoded. If `keepsSlash`, slashes are kept too.
    package static func encoded(_ text: String, keepsSlash: Bool = false) -> String {
        var bytes: [UInt8] = []
        for byte in text.utf8 {
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F, 0x7E: bytes.append(byte)
            case 0x2F where keepsSlash: bytes.append(byte)
            default: bytes += [0x25, upperCase(HexDigits.digit(byte >> 4)), upperCase(HexDigits.digit(byte))]
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// RFC 3986 recommends uppercase digits.
    private static func upperCase(_ digit: UInt8) -> UInt8 { digit > 0x39 ? digit - 0x20 : digit }
}
