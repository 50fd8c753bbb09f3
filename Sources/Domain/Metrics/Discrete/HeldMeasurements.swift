/// The time for which each measurement of one origin holds.
///
/// A measurement holds from its start until the next one starts, but at most for `longest`, or for its own length if that
/// is longer. For measurements that start together, their mean holds.
struct HeldMeasurements {
    /// A measurement and the time for which it holds.
    struct Held {
        let start: Int64
        let end: Int64
        let value: Double
        /// The grid and the bucket of the start.
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
    /// The time that the measurements added so far cover.
    private(set) var coverage = Coverage()

    /// Creates a value without measurements.
    ///
    /// - Parameter longest: the longest time for which a measurement without length holds, in milliseconds.
    init(longest: Int64) { self.longest = longest }

    /// Adds a measurement that starts no earlier than the previous one. Returns the measurement that it ends.
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

    /// Ends the last measurement, at `next` at the latest.
    mutating func end(before next: Int64 = .max) -> Held? {
        guard count > 0 else { return nil }
        let end = min(next, start &+ max(longest, min(length, DiscreteSummary.longestHeldLength)))
        coverage.append(start, end)
        defer { count = 0 }
        return Held(start: start, end: end, value: sum / Double(count), grid: grid, bucket: bucket)
    }
}
