import HealthSyncDomain

extension SampleID {
    /// Reads the 8-4-4-4-12 form in one pass over its bytes.
    init?(hexDigitsOf text: String) {
        var text = text
        let words: (UInt64, UInt64)? = text.withUTF8 { bytes in
            guard bytes.count == 36 else { return nil }
            var high: UInt64 = 0
            var low: UInt64 = 0
            for index in 0..<36 {
                let byte = unsafe bytes[index]
                if index == 8 || index == 13 || index == 18 || index == 23 {
                    guard byte == 0x2D else { return nil }
                    continue
                }
                let digit: UInt8
                switch byte {
                case 0x30...0x39: digit = byte - 0x30
                case 0x41...0x46: digit = byte - 0x37
                case 0x61...0x66: digit = byte - 0x57
                default: return nil
                }
                if index < 18 { high = high << 4 | UInt64(digit) } else { low = low << 4 | UInt64(digit) }
            }
            return (high, low)
        }
        guard let words else { return nil }
        self.init(high: words.0, low: words.1)
    }
}
