/// A sum of values, weighted by the time for which they hold.
struct HeldSum {
    /// The sum of value times milliseconds.
    private var weighted = 0.0
    private(set) var milliseconds: Int64 = 0

    /// Adds `value`, held for `length` milliseconds.
    @inline(__always)
    mutating func add(_ value: Double, for length: Int64) {
        weighted += value * Double(length)
        milliseconds += length
    }

    mutating func add(_ other: HeldSum) {
        weighted += other.weighted
        milliseconds += other.milliseconds
    }

    /// The mean over time; `nil` if nothing held.
    var mean: Double? { milliseconds > 0 ? weighted / Double(milliseconds) : nil }
}
