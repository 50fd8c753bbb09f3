package import Foundation

/// UUIDs in the 8-4-4-4-12 form, in either case. Foundation reads them by way of C's formatted input, a microsecond each.
package enum UUIDText {
    /// The first and the last 64 bits.
    static func halves(_ text: some Sequence<UInt8>) -> (high: UInt64, low: UInt64)? {
        var high: UInt64 = 0
        var low: UInt64 = 0
        var index = 0
        var digits = 0
        for byte in text {
            defer { index += 1 }
            if index == 8 || index == 13 || index == 18 || index == 23 {
                guard byte == 0x2D else { return nil }
                continue
            }
            guard let digit = hexDigit(byte), digits < 32 else { return nil }
            if digits < 16 { high = high << 4 | digit } else { low = low << 4 | digit }
            digits += 1
        }
        return digits == 32 ? (high, low) : nil
    }

    /// The UUID that `text` names. Not generic, so that other modules call it at full speed.
    package static func uuid(_ text: [UInt8]) -> UUID? {
        guard let (high, low) = halves(text) else { return nil }
        func byte(_ half: UInt64, _ index: UInt64) -> UInt8 { UInt8(truncatingIfNeeded: half >> (56 - 8 * index)) }
        return UUID(
            uuid: (
                byte(high, 0), byte(high, 1), byte(high, 2), byte(high, 3), byte(high, 4), byte(high, 5),
                byte(high, 6), byte(high, 7), byte(low, 0), byte(low, 1), byte(low, 2), byte(low, 3), byte(low, 4),
                byte(low, 5), byte(low, 6), byte(low, 7)
            ))
    }

    private static func hexDigit(_ byte: UInt8) -> UInt64? {
        switch byte {
        case 0x30...0x39: UInt64(byte - 0x30)
        case 0x41...0x46: UInt64(byte - 0x37)
        case 0x61...0x66: UInt64(byte - 0x57)
        default: nil
        }
    }
}
