package import Foundation

/// Conversion of UUIDs in the 8-4-4-4-12 form. Foundation parses them with C's formatted input, which takes a
/// microsecond each.
package enum UUIDText {
    /// The value of a UUID text.
    package struct Halves: Sendable {
        /// The first 64 bits.
        package let high: UInt64
        /// The last 64 bits.
        package let low: UInt64
        /// Whether the digits contain capital letters.
        package let hasCapitals: Bool
    }

    /// Parses a UUID in upper or lower case; `nil` for anything else. Not generic, so that calls from other modules
    /// are fast.
    package static func halves(_ utf8: UnsafeBufferPointer<UInt8>) -> Halves? {
        guard utf8.count == 36 else { return nil }
        var high: UInt64 = 0
        var low: UInt64 = 0
        var hasCapitals = false
        for index in 0..<36 {
            let byte = utf8[index]
            if index == 8 || index == 13 || index == 18 || index == 23 {
                guard byte == 0x2D else { return nil }
                continue
            }
            guard let digit = HexDigits.value(byte) else { return nil }
            if byte < 0x61, byte > 0x39 { hasCapitals = true }
            if index < 18 { high = high << 4 | UInt64(digit) } else { low = low << 4 | UInt64(digit) }
        }
        return Halves(high: high, low: low, hasCapitals: hasCapitals)
    }

    /// Parses a UUID; `nil` for anything else.
    package static func uuid(_ utf8: [UInt8]) -> UUID? {
        guard let halves = utf8.withUnsafeBufferPointer(halves) else { return nil }
        let (high, low) = (halves.high, halves.low)
        func byte(_ half: UInt64, _ index: UInt64) -> UInt8 { UInt8(truncatingIfNeeded: half >> (56 - 8 * index)) }
        return UUID(
            uuid: (
                byte(high, 0), byte(high, 1), byte(high, 2), byte(high, 3), byte(high, 4), byte(high, 5),
                byte(high, 6), byte(high, 7), byte(low, 0), byte(low, 1), byte(low, 2), byte(low, 3), byte(low, 4),
                byte(low, 5), byte(low, 6), byte(low, 7)
            ))
    }

    /// Returns `text` with its UUIDs cut to their first eight digits, for people: `bf6e616f…`.
    package static func folded(_ text: String) -> String {
        let bytes = Array(text.utf8)
        guard bytes.count >= 36 else { return text }
        var (kept, index): ([UInt8], Int) = ([], 0)
        while index < bytes.count {
            let isID = index + 36 <= bytes.count && uuid(Array(bytes[index..<index + 36])) != nil
            kept += isID ? bytes[index..<index + 8] + Array("…".utf8) : bytes[index...index]
            index += isID ? 36 : 1
        }
        return String(decoding: kept, as: UTF8.self)
    }

    /// Returns `id` in lower case (RFC 9562).
    package static func text(_ id: UUID) -> String { id.uuidString.lowercased() }
}

extension UUID {
    /// Creates a random UUID (RFC 9562, section 5.4) from 16 unpredictable bytes, padded with zeros if there are fewer.
    package init(version4 random: [UInt8]) {
        var bytes = random + [UInt8](repeating: 0, count: max(0, 16 - random.count))
        bytes[6] = bytes[6] & 0x0F | 0x40
        bytes[8] = bytes[8] & 0x3F | 0x80
        self.init(
            uuid: (
                bytes[0], bytes[1], bytes[2], bytes[3], bytes[4], bytes[5], bytes[6], bytes[7], bytes[8], bytes[9],
                bytes[10], bytes[11], bytes[12], bytes[13], bytes[14], bytes[15]
            ))
    }
}
