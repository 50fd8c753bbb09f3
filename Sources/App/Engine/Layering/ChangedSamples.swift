import HealthSyncDomain
import HealthSyncPorts

/// The samples that were added, deleted or altered by changes of pages.
struct ChangedSamples: Sendable {
    /// Samples that are new or altered, with their starts.
    var fresh: [SampleID: Instant] = [:]
    /// Samples in `fresh` that existed before.
    var altered: Set<SampleID> = []
    /// Samples that no page contains any more, with their starts.
    var vanished: [SampleID: Instant] = [:]

    init() {}

    init(_ changes: [ChangedPage], loader: RawSampleLoader) async throws {
        for (day, pages) in Dictionary(grouping: changes, by: \.key.day).sorted(by: { $0.key < $1.key }) {
            try Task.checkCancellation()
            try await compare(pages, on: day, loader: loader)
        }
        // A sample that was deleted on one day and added on another was moved.
        for id in fresh.keys where vanished.removeValue(forKey: id) != nil { altered.insert(id) }
    }

    private mutating func compare(_ changes: [ChangedPage], on day: CalendarDay, loader: RawSampleLoader) async throws {
        // Unchanged pages belong to both sides, because they may contain the same measurement as a changed one.
        var before = changes.compactMap { change in
            change.before.map { RawSampleLoader.Page(provider: change.provider, key: change.key, bytes: $0) }
        }
        var after: [RawSampleLoader.Page] = []
        for page in try await loader.pages.pages(of: [loader.definition.type], utcDays: DayRange(day)) {
            let stored = RawSampleLoader.Page(provider: page.provider, key: page.key, bytes: page.bytes)
            after.append(stored)
            if !changes.contains(where: { $0.key == page.key && $0.provider == page.provider }) {
                before.append(stored)
            }
        }
        let isFormer = changes.contains(where: \.isFormer)
        // A sample that was deleted before is among the former ones too: deleting it again changes nothing.
        compare(
            before: isFormer ? try loader.formerSamples(of: before) : try loader.samples(of: before, deleted: []),
            after: try loader.samples(of: after, deleted: try await loader.deletedSamples(on: DayRange(day))))
    }

    private mutating func compare(before: RawSamples, after: RawSamples) {
        let places = Dictionary(
            before.ids.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
        var left = Set(before.ids)
        for row in 0..<after.count {
            let id = after.ids[row]
            left.remove(id)
            if let place = places[id] {
                if after.isSame(row, as: before, place) { continue }
                altered.insert(id)
            }
            fresh[id] = Instant(milliseconds: after.starts[row])
        }
        for id in left {
            if let place = places[id] { vanished[id] = Instant(milliseconds: before.starts[place]) }
        }
    }
}
