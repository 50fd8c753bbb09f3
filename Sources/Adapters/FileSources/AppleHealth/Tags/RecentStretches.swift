/// A cache of the last few byte sequences of one kind, because consecutive records repeat each other or alternate
/// between a few devices.
struct RecentStretches {
    /// The number of cached sequences; a power of two.
    static let places = 4
    private let longest: Int
    private var bytes: [UInt8]
    private var lengths = [Int](repeating: 0, count: places)
    private var oldest = 0
    /// The index of the last matched or added sequence.
    private(set) var place = 0

    /// Creates a cache of sequences of at most `longest` bytes.
    init(longest: Int) {
        self.longest = longest
        bytes = [UInt8](repeating: 0, count: longest * Self.places)
    }

    /// Returns the length of a cached sequence that matches the bytes at `start`; `nil` if none exists.
    @inline(__always)
    mutating func match(_ window: ByteWindow, _ start: Int) -> Int? {
        for step in 0..<Self.places {
            let candidate = (place &+ step) & (Self.places &- 1)
            if window.matches(start, bytes, candidate &* longest, lengths[candidate]) {
                place = candidate
                return lengths[candidate]
            }
        }
        return nil
    }

    /// Replaces the oldest sequence with the bytes of `range`; returns whether they fit.
    @discardableResult
    mutating func remember(_ window: ByteWindow, _ range: ByteRange) -> Bool {
        guard range.count <= longest else { return false }
        window.copy(range, to: &bytes, at: oldest * longest)
        lengths[oldest] = range.count
        place = oldest
        oldest = (oldest + 1) % Self.places
        return true
    }
}
