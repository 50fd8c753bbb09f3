/// An encoding of text for PostgreSQL, whose `text` cannot contain U+0000. U+0000 is stored as the noncharacter U+FFFF
/// and a `0`, and U+FFFF itself as U+FFFF and a `1`.
enum StorableText {
    private static let mark: [UInt8] = [0xEF, 0xBF, 0xBF]

    static func encoded(_ text: String) -> [UInt8] {
        let bytes = Array(text.utf8)
        guard bytes.contains(0) || bytes.firstRange(of: mark) != nil else { return bytes }
        return text.unicodeScalars.flatMap { scalar -> [UInt8] in
            switch scalar.value {
            case 0: mark + [0x30]
            case 0xFFFF: mark + [0x31]
            default: Array(String(scalar).utf8)
            }
        }
    }

    static func decoded(_ bytes: [UInt8]) -> String {
        guard bytes.firstRange(of: mark) != nil else { return String(decoding: bytes, as: UTF8.self) }
        var text = String.UnicodeScalarView()
        var isMarked = false
        for scalar in String(decoding: bytes, as: UTF8.self).unicodeScalars {
            if isMarked {
                text.append(scalar == "0" ? "\0" : "\u{FFFF}")
                isMarked = false
            } else if scalar.value == 0xFFFF {
                isMarked = true
            } else {
                text.append(scalar)
            }
        }
        return String(text)
    }
}
