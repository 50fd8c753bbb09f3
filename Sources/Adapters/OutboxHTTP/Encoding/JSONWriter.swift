import HealthSyncDomain

/// Writes canonical JSON straight into bytes. Callers give members in ascending order of their names.
struct JSONWriter {
    private(set) var bytes: [UInt8] = []

    init(reserving capacity: Int) { bytes.reserveCapacity(capacity) }

    /// Bytes that are JSON already.
    mutating func raw(_ text: StaticString) {
        unsafe bytes.append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    /// Bytes that are JSON already.
    mutating func raw(_ more: [UInt8]) { bytes.append(contentsOf: more) }

    /// A string with quotes: only `"`, `\` and control characters are escaped.
    mutating func string(_ text: String) {
        bytes.append(0x22)
        let isWritten = unsafe text.utf8.withContiguousStorageIfAvailable { utf8 in
            guard unsafe utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x22 && $0 != 0x5C }) else { return false }
            unsafe bytes.append(contentsOf: utf8)
            return true
        }
        if isWritten != true { escaped(text) }
        bytes.append(0x22)
    }

    private mutating func escaped(_ text: String) {
        for byte in text.utf8 {
            switch byte {
            case 0x22, 0x5C:
                bytes.append(0x5C)
                bytes.append(byte)
            case 0..<0x20:
                raw("\\u00")
                bytes.append(byte < 0x10 ? 0x30 : 0x31)
                bytes.append(byte & 15 < 10 ? 0x30 + (byte & 15) : 0x57 + (byte & 15))
            default:
                bytes.append(byte)
            }
        }
    }

    /// An integer without a fraction, otherwise the shortest text that reads back to the same double. JSON has no word
    /// for what is not finite: null.
    mutating func number(_ value: Double) {
        if let integer = Int64(exactly: value) {
            number(integer)
        } else if value.isFinite {
            bytes.append(contentsOf: value.description.utf8)
        } else {
            raw("null")
        }
    }

    /// An integer.
    mutating func number(_ value: Int64) {
        if value < 0 { bytes.append(0x2D) }
        var rest = value.magnitude
        if rest < 10 {
            bytes.append(0x30 + UInt8(truncatingIfNeeded: rest))
            return
        }
        var divisor: UInt64 = 1
        while rest / divisor >= 10 { divisor *= 10 }
        while divisor > 0 {
            bytes.append(0x30 + UInt8(truncatingIfNeeded: rest / divisor))
            rest %= divisor
            divisor /= 10
        }
    }

    /// A number, or null.
    mutating func number(orNull value: Double?) {
        if let value { number(value) } else { raw("null") }
    }

    /// An instant in UTC, without quotes.
    mutating func time(_ instant: Instant) { RFC3339.append(instant, to: &bytes) }

    /// An id, without quotes.
    mutating func id(_ id: SampleID) {
        for (index, word) in [id.high >> 32, id.high >> 16 & 0xFFFF, id.high & 0xFFFF, id.low >> 48].enumerated() {
            hex(word, digits: index == 0 ? 8 : 4)
            bytes.append(0x2D)
        }
        hex(id.low & 0xFFFF_FFFF_FFFF, digits: 12)
    }

    private mutating func hex(_ word: UInt64, digits: Int) {
        for place in stride(from: UInt64(digits * 4 - 4), through: 0, by: -4) {
            let digit = UInt8(truncatingIfNeeded: word >> place) & 15
            bytes.append(digit < 10 ? 0x30 + digit : 0x57 + digit)
        }
    }
}
