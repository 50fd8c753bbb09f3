import HealthSyncDomain

extension SampleID {
    /// Reads the 8-4-4-4-12 form.
    init?(hexDigitsOf text: String) {
        var text = text
        guard let read = text.withUTF8({ unsafe Self.hexDigits($0) }) else { return nil }
        self = read.id
    }

    /// Reads the 8-4-4-4-12 form in one pass over its bytes, and whether it has capital letters; `nil` for anything else.
    static func hexDigits(_ bytes: UnsafeBufferPointer<UInt8>) -> (id: SampleID, isUppercase: Bool)? {
        guard bytes.count == 36 else { return nil }
        var high: UInt64 = 0
        var low: UInt64 = 0
        var isUppercase = false
        for index in 0..<36 {
            let byte = unsafe bytes[index]
            if index == 8 || index == 13 || index == 18 || index == 23 {
                guard byte == 0x2D else { return nil }
                continue
            }
            let digit: UInt8
            switch byte {
            case 0x30...0x39: digit = byte - 0x30
            case 0x41...0x46:
                digit = byte - 0x37
                isUppercase = true
            case 0x61...0x66: digit = byte - 0x57
            default: return nil
            }
            if index < 18 { high = high << 4 | UInt64(digit) } else { low = low << 4 | UInt64(digit) }
        }
        return (SampleID(high: high, low: low), isUppercase)
    }
}
