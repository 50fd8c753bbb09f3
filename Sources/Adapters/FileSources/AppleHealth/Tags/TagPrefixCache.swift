/// Remembers how some record tags began and what they said up to their first date. The same bytes mean the same, so a
/// tag that begins like one of them is read from there on.
struct TagPrefixCache {
    private var beginnings = RecentStretches(longest: 2048)
    private var tags = [RecordTag](repeating: RecordTag(), count: RecentStretches.places)
    private var misses = 0
    /// Whether records name the same device by ever other addresses, so that beginnings end in front of it.
    private(set) var deviceVaries = false

    /// The length of a remembered beginning of the tag at `start`, and what it says; `nil` when none fits.
    @inline(__always)
    mutating func match(_ window: ByteWindow, _ start: Int, _ tag: inout RecordTag) -> Int? {
        guard let length = beginnings.match(window, start) else { return nil }
        misses = 0
        tag = tags[beginnings.place]
        return length
    }

    /// Remembers that a tag which begins with the bytes of `range` says `tag` so far; not where liberties were taken,
    /// because those are counted each time.
    mutating func remember(_ window: ByteWindow, _ range: ByteRange, _ tag: RecordTag) {
        guard tag.faults.isEmpty, !tag.contradictsItself else { return }
        misses &+= 1
        if misses == 64, !deviceVaries {
            deviceVaries = true
            misses = 0
        }
        // Where nothing comes back, remembering each beginning would be work for nothing.
        guard misses < 64 || misses & 15 == 0 else { return }
        if beginnings.remember(window, range) { tags[beginnings.place] = tag }
    }
}
