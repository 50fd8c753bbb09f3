extension [UInt8] {
    /// Appends `number` in decimal without creating a string, because samples are written by the million.
    mutating func append(decimal number: Int64) {
        if number < 0 { append(0x2D) }
        let begin = count
        var rest = number.magnitude
        repeat {
            append(0x30 + UInt8(truncatingIfNeeded: rest % 10))
            rest /= 10
        } while rest > 0
        if count - begin > 1 { self[begin...].reverse() }
    }
}
