/// Remembers the bytes of the last few stretches of some kind, because neighbours in an export repeat each other, and
/// where devices take turns, one of few comes back.
struct RecentStretches {
    /// Number of stretches that are remembered; a power of two.
    static let places = 4
    private let longest: Int
    private var bytes: [UInt8]
    private var lengths = [Int](repeating: 0, count: places)
    private var oldest = 0
    /// Where the stretch stands that was matched or remembered last.
    private(set) var place = 0

    /// Remembers stretches of at most `longest` bytes.
    init(longest: Int) {
        self.longest = longest
        bytes = [UInt8](repeating: 0, count: longest * Self.places)
    }

    /// The length of a remembered stretch whose bytes are those at `start`; `nil` when there is none.
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

    /// Remembers the bytes of `range` in place of the oldest; returns whether they are not too many.
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
