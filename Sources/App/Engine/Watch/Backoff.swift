/// The waiting times between attempts that fail, doubled from attempt to attempt.
struct Backoff: Sendable {
    /// In milliseconds.
    let first: Int64
    /// In milliseconds.
    let longest: Int64
    private var failures = 0

    init(first: Int64, longest: Int64) {
        self.first = first
        self.longest = longest
    }

    /// Counts a failure and returns the time until the next attempt, in milliseconds.
    mutating func next() -> Int64 {
        let wait = min(longest, first << min(failures, 20))
        failures += 1
        return wait
    }

    mutating func reset() { failures = 0 }
}
