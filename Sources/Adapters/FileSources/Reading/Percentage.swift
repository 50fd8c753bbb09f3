/// A percentage as apps write it, from 0 to 100, which is a fraction in HealthKit.
enum Percentage {
    static let whole = 100.0
    /// A computed percentage may exceed the whole by this part of it.
    private static let noise = 1e-9

    /// Returns `value`; the whole if it exceeds it by a computation's noise. Throws for a larger value: its fraction would
    /// be taken for a percentage, and divided again.
    static func checked(_ value: Double) throws(RejectedRecord) -> Double {
        guard value <= whole * (1 + noise) else { throw RejectedRecord("more than 100 percent") }
        return min(value, whole)
    }
}
