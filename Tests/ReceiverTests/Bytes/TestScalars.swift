/// Unicode scalars that tests insert into values.
enum TestScalars {
    /// All of them: 1,112,064.
    static let all: [Unicode.Scalar] = (0...0x10FFFF).compactMap { Unicode.Scalar(UInt32($0)) }

    /// Those that `String` treats specially, a part of the marks and digits, and a few of the others.
    static let sample = all.filter { scalar in
        scalar.value < 0x180 || scalar.value % 2039 == 0 || equivalent.contains(scalar.value) || isSpecial(scalar)
    }

    /// Scalars that begin a grapheme cluster with the next one, other than the format characters among them.
    private static let prepended: Set<UInt32> = [0xD4E, 0x111C2, 0x111C3, 0x1193F, 0x11941, 0x11A3A, 0x11D46, 0x11F02]

    /// Scalars that equal an ASCII one by canonical equivalence or case, or look like one: the Greek question mark, the
    /// accent varia, the Kelvin and Angstrom signs, the long s, the fi ligature, full-width forms.
    private static let equivalent: Set<UInt32> = [
        0x37E, 0x1FEF, 0x212A, 0x212B, 0x2126, 0x17F, 0xFB01, 0xFF0C, 0xFF1A, 0xFF1B, 0xFF1D, 0xFF4B, 0xFF11, 0xFF05,
        0xFE50,
        0x338, 0x201A, 0x2024, 0x2044, 0x3002, 0xFF0E, 0xFF61,
    ]

    /// Whether a scalar may join a neighbor in a grapheme cluster, or is a space or digit.
    private static func isSpecial(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x300...0x310, 0xFE00...0xFE0F, 0x1F1E6...0x1F1E8, 0x1F3FB...0x1F3FC, 0x1100...0x1102, 0x1160...0x1162:
            return true
        default: break
        }
        if prepended.contains(scalar.value) { return true }
        switch scalar.properties.generalCategory {
        case .format, .spaceSeparator, .lineSeparator, .paragraphSeparator: return scalar.value < 0xE0010
        case .nonspacingMark, .spacingMark, .enclosingMark, .decimalNumber: return scalar.value % 31 == 0
        default: return false
        }
    }
}
