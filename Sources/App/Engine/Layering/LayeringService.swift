import HealthSyncDomain
import HealthSyncPorts

/// Keeps the intervals for sending raw samples consistent with the pages.
struct LayeringService: Sendable {
    private let pages: any SamplePageStore
    private let intervals: any SyncIntervalStore
    private let hasher: any ContentHasher
    private let limits: LayeringLimits

    init(ports: EnginePorts, limits: LayeringLimits) {
        pages = ports.pages
        intervals = ports.intervals
        hasher = ports.hasher
        self.limits = limits
    }

    /// Divides the samples of a type into intervals and returns their number. Only intervals that overlap changed
    /// pages are divided again; if nothing changed, nothing is read.
    ///
    /// In the same transaction, the delivery state of the old intervals is transferred to the new ones and missing
    /// samples are enqueued.
    func performLayering(of definition: SampleTypeDefinition) async throws -> Int {
        let type = definition.type
        let rule = limits.rule(for: type)
        let known = try await intervals.layeredTypes()[type]
        let changes = known == nil ? [] : try await intervals.changedPages(of: type)
        if known?.rule == rule, changes.isEmpty { return try await intervals.intervalCount(of: type) }
        let loader = RawSampleLoader(pages: pages, hasher: hasher, definition: definition)
        let old = known == nil ? [] : try await intervals.intervals(of: type)
        let days = changes.map(\.key.day)
        let kept = known?.rule == rule ? Self.untouched(old, by: days) : []
        let builder = try await gather(keeping: kept, dissolving: old, changed: days, loader: loader)
        let new = Layering(rule).leaves(of: builder.aggregates())
        let change = LayeringChange(
            type: type, rule: rule, generation: (known?.generation ?? 0) + 1, old: IntervalSequence(intervals: old),
            new: new, samples: try await ChangedSamples(changes, loader: loader),
            deliveries: known == nil ? [:] : try await intervals.deliveries(of: type),
            revisions: try await intervals.revisions(of: type))
        _ = try await intervals.commit(change.commit())
        return new.count
    }

    /// Enqueues the intervals of `type` that overlap `range` and were never offered to the server; returns their
    /// number.
    func offer(
        _ type: SampleType, to destination: String, in range: InstantRange
    ) async throws -> Int {
        guard let known = try await intervals.layeredTypes()[type] else { return 0 }
        let unoffered = try await intervals.unoffered(of: type, destination: destination, in: range)
        guard !unoffered.isEmpty else { return 0 }
        var commit = LayeringCommit(type: type, rule: known.rule)
        for interval in unoffered {
            if interval.figures.sampleCount == 0 {
                commit.synced.append(IntervalKey(destination: destination, start: interval.interval.start))
            } else {
                commit.outbox.append(
                    .slice(of: interval, type: type, destination: destination, generation: known.generation + 1))
            }
        }
        return try await intervals.commit(commit)
    }

    /// Deletes all intervals of all types and their queued items; returns the number of intervals. Pending deletions
    /// are enqueued first and kept.
    func clearAllIntervals() async throws -> Int {
        let known = try await intervals.layeredTypes()
        for definition in try await pages.knownTypes() where known[definition.type] != nil {
            _ = try await performLayering(of: definition)
        }
        return try await intervals.clear()
    }

    private static func untouched(_ intervals: [SyncInterval], by days: [CalendarDay]) -> [SyncInterval] {
        let starts = Set(days).map(\.utcStart).sorted()
        return intervals.filter { leaf in
            let next = starts.first {
                $0.advanced(byMilliseconds: CalendarDay.millisecondsPerDay) > leaf.interval.start
            }
            return next.map { $0 >= leaf.interval.end } ?? true
        }
    }

    private func gather(
        keeping kept: [SyncInterval], dissolving old: [SyncInterval], changed days: [CalendarDay],
        loader: RawSampleLoader
    ) async throws -> LayeringAggregates.Builder {
        var builder = LayeringAggregates.Builder()
        for leaf in kept { builder.add(leaf) }
        guard let extent = try await pages.dayExtent(of: [loader.definition.type]) else { return builder }
        var wanted = Set(days)
        if kept.isEmpty {
            wanted.formUnion(extent)
        } else {
            let stays = Set(kept)
            for leaf in old where !stays.contains(leaf) {
                let first = CalendarDay(utcDayOf: leaf.interval.start)
                let last = CalendarDay(utcDayOf: leaf.interval.end.advanced(byMilliseconds: -1))
                if let common = DayRange(first, through: last)?.intersection(extent) { wanted.formUnion(common) }
            }
        }
        let runs = DayRange.runs(of: wanted.sorted(), atMost: Self.daysAtOnce)
        let sequence = IntervalSequence(intervals: kept)
        for part in try await Self.builders(of: runs, outside: sequence, loader: loader) { builder.add(part) }
        return builder
    }

    /// Returns the sums of the samples of `runs` outside of `kept`. Two runs are processed at a time: one is hashed
    /// while the next is read.
    private static func builders(
        of runs: [DayRange], outside kept: IntervalSequence, loader: RawSampleLoader
    ) async throws -> [LayeringAggregates.Builder] {
        try await withThrowingTaskGroup(of: LayeringAggregates.Builder.self) { group in
            var parts: [LayeringAggregates.Builder] = []
            for (index, run) in runs.enumerated() {
                if index >= Self.runsAtOnce, let part = try await group.next() { parts.append(part) }
                group.addTask { try await Self.builder(of: run, outside: kept, loader: loader) }
            }
            for try await part in group { parts.append(part) }
            return parts
        }
    }

    private static func builder(
        of run: DayRange, outside kept: IntervalSequence, loader: RawSampleLoader
    ) async throws -> LayeringAggregates.Builder {
        try Task.checkCancellation()
        let samples = try await loader.samples(on: run)
        let countsSteps = loader.definition.type == SampleTypeDefinition.stepCount.type
        var builder = LayeringAggregates.Builder()
        for row in 0..<samples.count {
            let start = Instant(milliseconds: samples.starts[row])
            if !kept.intervals.isEmpty, kept.containing(start) != nil { continue }
            builder.add(
                start: start, steps: countsSteps ? LayeringRule.wholeSteps(samples.values[row]) : 0,
                id: samples.ids[row])
        }
        return builder
    }

    private static let daysAtOnce = 366
    private static let runsAtOnce = 2
}

/// Adjacent or separate intervals, ascending and without overlap, with lookups by binary search.
struct IntervalSequence: Sendable {
    let intervals: [SyncInterval]

    /// Returns the interval that contains `instant`.
    func containing(_ instant: Instant) -> SyncInterval? {
        let place = place(endingAfter: instant)
        guard place < intervals.count, intervals[place].interval.contains(instant) else { return nil }
        return intervals[place]
    }

    /// Returns the intervals that overlap `interval`.
    func overlapping(_ interval: GridInterval) -> ArraySlice<SyncInterval> {
        let first = place(endingAfter: interval.start)
        var end = first
        while end < intervals.count, intervals[end].interval.start < interval.end { end += 1 }
        return intervals[first..<end]
    }

    private func place(endingAfter instant: Instant) -> Int {
        intervals.partitionPoint { $0.interval.end <= instant }
    }
}

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
