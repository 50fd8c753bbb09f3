/// A cache of the beginnings of record tags, up to the first date, with their decoded content. A tag with a cached
/// beginning is read from the end of it.
struct TagPrefixCache {
    private var beginnings = RecentStretches(longest: 2048)
    private var tags = [RecordTag](repeating: RecordTag(), count: RecentStretches.places)
    private var misses = 0
    /// Whether the device's address differs from record to record, so that beginnings end before it.
    private(set) var deviceVaries = false

    /// Returns the length of a cached beginning of the tag at `start` and sets `tag` to its content; `nil` if none
    /// matches.
    @inline(__always)
    mutating func match(_ window: ByteWindow, _ start: Int, _ tag: inout RecordTag) -> Int? {
        guard let length = beginnings.match(window, start) else { return nil }
        misses = 0
        tag = tags[beginnings.place]
        return length
    }

    /// Caches `tag` as the content of a tag that begins with the bytes of `range`. Tags with faults are not cached,
    /// because each fault is counted.
    mutating func remember(_ window: ByteWindow, _ range: ByteRange, _ tag: RecordTag) {
        guard tag.faults.isEmpty, !tag.isContradictory else { return }
        misses &+= 1
        if misses == 64, !deviceVaries {
            deviceVaries = true
            misses = 0
        }
        // If beginnings do not repeat, caching each of them would be wasted work.
        guard misses < 64 || misses & 15 == 0 else { return }
        if beginnings.remember(window, range) { tags[beginnings.place] = tag }
    }
}
