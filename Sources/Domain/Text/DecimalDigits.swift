extension [UInt8] {
    /// Appends `number` in decimal without creating a string, because samples are written by the million.
    mutating func append(decimal number: Int64) {
        // The last digit comes first. A number has at most 19 digits and a sign.
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 20) { digits in
            var first = digits.count
            var rest = number.magnitude
            repeat {
                first -= 1
                digits[first] = 0x30 + UInt8(truncatingIfNeeded: rest % 10)
                rest /= 10
            } while rest > 0
            if number < 0 {
                first -= 1
                digits[first] = 0x2D
            }
            append(contentsOf: UnsafeMutableBufferPointer(rebasing: digits[first...]))
        }
    }
}
