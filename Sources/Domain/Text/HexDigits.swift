/// Hexadecimal digits.
package enum HexDigits {
    /// Returns the digit of the lower four bits of `byte`, in lower case.
    package static func digit(_ byte: UInt8) -> UInt8 {
        let value = byte & 15
        return value < 10 ? 0x30 + value : 0x57 + value
    }

    /// Returns the value of a digit, in upper or lower case.
    package static func value(_ digit: UInt8) -> UInt8? {
        switch digit {
        case 0x30...0x39: digit - 0x30
        case 0x41...0x46: digit - 0x37
        case 0x61...0x66: digit - 0x57
        default: nil
        }
    }

    /// Returns `words` as 16 digits each, in lower case.
    package static func text(_ words: UInt64...) -> String {
        var bytes: [UInt8] = []
        for word in words { append(word, digits: 16, to: &bytes) }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Returns `bytes` as two digits each, in lower case.
    package static func text(_ bytes: [UInt8]) -> String {
        String(decoding: bytes.flatMap { [digit($0 >> 4), digit($0)] }, as: UTF8.self)
    }

    /// Appends the last `digits` digits of `word`, in lower case.
    package static func append(_ word: UInt64, digits: Int, to bytes: inout [UInt8]) {
        for place in stride(from: UInt64(digits * 4 - 4), through: 0, by: -4) {
            bytes.append(digit(UInt8(truncatingIfNeeded: word >> place)))
        }
    }
}

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
