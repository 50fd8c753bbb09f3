import HealthSyncDomain
import HealthSyncPorts

/// Which samples came, went and changed with the pages that changed.
struct ChangedSamples: Sendable {
    /// Samples that are new, or say something else under the same id, with their starts.
    var fresh: [SampleID: Instant] = [:]
    /// Those of `fresh` that were there before.
    var altered: Set<SampleID> = []
    /// Samples that no page holds any more, with their starts.
    var vanished: [SampleID: Instant] = [:]

    init() {}

    init(_ changes: [ChangedPage], loader: RawSampleLoader) async throws {
        for (day, pages) in Dictionary(grouping: changes, by: \.key.day).sorted(by: { $0.key < $1.key }) {
            try Task.checkCancellation()
            try await compare(pages, on: day, loader: loader)
        }
        // One that went on one day and came on another has moved.
        for id in fresh.keys where vanished.removeValue(forKey: id) != nil { altered.insert(id) }
    }

    private mutating func compare(_ changes: [ChangedPage], on day: CalendarDay, loader: RawSampleLoader) async throws {
        var before = RawSamples()
        for change in changes {
            if let bytes = change.before { try loader.append(bytes, at: change.key, to: &before) }
        }
        var after = RawSamples()
        var unchanged = RawSamples()
        var changed = changes
        for page in try await loader.pages.pages(of: [loader.definition.type], utcDays: DayRange(day)) {
            try loader.append(page.bytes, at: page.key, to: &after)
            if let place = changed.firstIndex(where: { $0.key == page.key && $0.after == page.bytes }) {
                changed.remove(at: place)
            } else {
                try loader.append(page.bytes, at: page.key, to: &unchanged)
            }
        }
        compare(before: before.normalized(), after: after.normalized(), unchanged: Set(unchanged.ids))
    }

    private mutating func compare(before: RawSamples, after: RawSamples, unchanged: Set<SampleID>) {
        let places = Dictionary(
            before.ids.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
        var left = Set(before.ids)
        for row in 0..<after.count {
            let id = after.ids[row]
            left.remove(id)
            if let place = places[id] {
                if after.isSame(row, as: before, place) { continue }
                altered.insert(id)
            } else if unchanged.contains(id) {
                continue
            }
            fresh[id] = Instant(milliseconds: after.starts[row])
        }
        for id in left {
            if let place = places[id] { vanished[id] = Instant(milliseconds: before.starts[place]) }
        }
    }
}
