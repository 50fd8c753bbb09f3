/// The stretches for which the measurements of one origin hold.
///
/// A measurement holds from its start until the next one starts, and no longer than `longest`, or than its own length
/// where that is more. Measurements that start together hold their mean.
struct HeldMeasurements {
    /// A measurement and the stretch for which it holds.
    struct Held {
        let start: Int64
        let end: Int64
        let value: Double
        /// Grid and bucket of the start.
        let grid: Int
        let bucket: Int
    }

    private let longest: Int64
    private var start: Int64 = 0
    private var length: Int64 = 0
    private var sum = 0.0
    private var count = 0
    private var grid = 0
    private var bucket = 0
    /// What the measurements added so far cover.
    private(set) var coverage = Coverage()

    /// - Parameter longest: milliseconds for which a measurement without length holds at most.
    init(longest: Int64) { self.longest = longest }

    /// Adds a measurement that starts no earlier than the one before; returns the one that it ends.
    mutating func add(start: Int64, length: Int64, value: Double, grid: Int, bucket: Int) -> Held? {
        if count > 0, start == self.start {
            self.length = max(self.length, length)
            sum += value
            count += 1
            return nil
        }
        let ended = end(before: start)
        self.start = start
        self.length = length
        sum = value
        count = 1
        self.grid = grid
        self.bucket = bucket
        return ended
    }

    /// Ends the last measurement, no later than at `next`.
    mutating func end(before next: Int64 = .max) -> Held? {
        guard count > 0 else { return nil }
        let end = min(next, start &+ max(longest, min(length, DiscreteSummary.longestHeldLength)))
        coverage.append(start, end)
        defer { count = 0 }
        return Held(start: start, end: end, value: sum / Double(count), grid: grid, bucket: bucket)
    }
}
