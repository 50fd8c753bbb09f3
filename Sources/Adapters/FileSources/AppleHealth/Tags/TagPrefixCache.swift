/// Remembers how some record tags began and what they said up to their first date.
///
/// Neighbouring records begin with the same bytes, and where two devices take turns one of few beginnings comes back.
/// The same bytes mean the same, so such a tag is read from its first date on.
struct TagPrefixCache {
    private static let longest = 2048
    private static let places = 4
    private var bytes = [UInt8](repeating: 0, count: longest * places)
    private var lengths = [Int](repeating: 0, count: places)
    private var tags = [RecordTag](repeating: RecordTag(), count: places)
    private var oldest = 0
    private var last = 0
    private var misses = 0
    /// Whether records name the same device by ever other addresses, so that beginnings end in front of it.
    private(set) var deviceVaries = false

    /// The length of a remembered beginning of the tag at `start`, and what it says; `nil` when none fits.
    @inline(__always)
    mutating func match(_ window: ByteWindow, _ start: Int, _ tag: inout RecordTag) -> Int? {
        for step in 0..<Self.places {
            let place = (last &+ step) & (Self.places &- 1)
            if window.matches(start, bytes, place &* Self.longest, lengths[place]) {
                last = place
                misses = 0
                tag = tags[place]
                return lengths[place]
            }
        }
        return nil
    }

    /// Remembers that a tag which begins with the bytes of `range` says `tag` so far; not where liberties were taken,
    /// because those are counted each time.
    mutating func remember(_ window: ByteWindow, _ range: ByteRange, _ tag: RecordTag) {
        guard range.count <= Self.longest, tag.faults.isEmpty, !tag.contradictsItself else { return }
        misses &+= 1
        if misses == 64, !deviceVaries {
            deviceVaries = true
            misses = 0
        }
        // Where nothing comes back, remembering each beginning would be work for nothing.
        guard misses < 64 || misses & 15 == 0 else { return }
        let base = oldest * Self.longest
        window.copy(range, to: &bytes, at: base)
        lengths[oldest] = range.count
        tags[oldest] = tag
        last = oldest
        oldest = (oldest + 1) % Self.places
    }
}
