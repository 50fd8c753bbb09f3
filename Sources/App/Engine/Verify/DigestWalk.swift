import HealthSyncDomain
import HealthSyncPorts

/// Finds the samples that differ between the local store and a server. It descends the tree of intervals where
/// digests differ, until an interval has so few samples that it is cheaper to list them.
struct DigestWalk {
    /// An interval with at most this many samples on the server is listed; digests would cost as many bytes.
    private static let fewSamples = 24
    /// More samples than the shortest interval can have: two for each millisecond.
    private static let mostSamples = 1_024_000

    let type: SampleType
    let local: LocalSamples
    let server: any ServerSampleReader
    let progress: any ProgressReporter

    /// The remaining work.
    private struct Work {
        /// Intervals to query, by exponent, with the digest that the server returned for the interval as a half.
        var open: [Int: [(interval: GridInterval, reported: SampleSetDigest?)]] = [:]
        /// Intervals to list.
        var listed: [(interval: GridInterval, digest: SampleSetDigest)] = []
        /// Intervals without samples on the server.
        var missing: [GridInterval] = []
        /// Local samples that are already compared.
        var settled = 0
    }

    private var range: InstantRange { local.range }

    /// Returns the intervals that differ, ascending.
    func differences() async throws -> [IntervalDifference] {
        var work = Work()
        let cover = GridInterval.cover(of: range)
        for node in cover { work.open[node.exponent, default: []].append((node, nil)) }
        let total = cover.reduce(0) { $0 + local.digest(of: $1).count }
        for exponent in (GridInterval.shortestExponent...GridInterval.rootExponent).reversed() {
            let nodes = work.open.removeValue(forKey: exponent) ?? []
            for first in stride(from: 0, to: nodes.count, by: server.intervalsPerRequest) {
                try Task.checkCancellation()
                let asked = Array(nodes[first..<min(nodes.count, first + server.intervalsPerRequest)])
                let answers = try await server.digests(of: type, in: asked.map(\.interval))
                for (node, answer) in zip(asked, answers) { try descend(node, answer, &work) }
                progress.report(phase: "comparing", done: Int64(work.settled), total: Int64(total))
            }
        }
        var differences: [IntervalDifference] = []
        for interval in work.missing { differences += try await missing(interval) }
        for group in AdjacentIntervals.joined(work.listed) { differences += try await compared(group) }
        return differences.sorted { $0.interval.start < $1.interval.start }
    }

    private func descend(
        _ node: (interval: GridInterval, reported: SampleSetDigest?), _ answer: HalvedDigest, _ work: inout Work
    ) throws {
        guard answer.isConsistent, node.reported.map({ $0 == answer.whole }) ?? true else {
            throw contradiction("the digests of an interval and of its halves")
        }
        if node.reported == nil {
            // The interval is part of the cover and not compared yet.
            guard try isOpen(node.interval, answer.whole, &work) else { return }
        }
        guard let halves = node.interval.halves else { return }
        for (half, digest) in [(halves.first, answer.first), (halves.second, answer.second)]
        where try isOpen(half, digest, &work) {
            work.open[half.exponent, default: []].append((half, digest))
        }
    }

    /// Returns whether the halves of `interval` must be queried. If not, it is settled or added to `missing` or
    /// `listed`.
    private func isOpen(_ interval: GridInterval, _ digest: SampleSetDigest, _ work: inout Work) throws -> Bool {
        guard digest.count >= 0, interval.halves != nil || digest.count <= Self.mostSamples else {
            throw contradiction("its numbers of samples")
        }
        let own = local.digest(of: interval)
        if own == digest {
            work.settled += own.count
            return false
        }
        if digest.count == 0 {
            work.missing.append(interval)
        } else if interval.halves == nil || digest.count <= Self.fewSamples
            || (own.count == 0 && isWithinRange(interval))
        {
            work.listed.append((interval, digest))
        } else {
            return true
        }
        work.settled += own.count
        return false
    }

    private func isWithinRange(_ interval: GridInterval) -> Bool {
        range.start <= interval.start && interval.end <= range.end
    }

    private func missing(_ interval: GridInterval) async throws -> [IntervalDifference] {
        guard let part = interval.range.intersection(range) else { return [] }
        return difference(
            interval, SampleComparison.differences(local: try await local.samples(in: part), server: []))
    }

    private func compared(_ group: AdjacentIntervals) async throws -> [IntervalDifference] {
        let listed = try await list(group.range, count: group.digest.count)
        var digest = SampleSetDigest()
        for sample in listed { digest.insert(sample) }
        guard digest == group.digest else { throw contradiction("its digests and its list of samples") }
        guard let part = group.range.intersection(range) else { return [] }
        let differences = SampleComparison.differences(
            local: try await local.samples(in: part), server: listed.filter { part.contains($0.start) })
        return group.intervals.flatMap { interval in
            difference(interval, differences.filter { interval.contains($0.start) })
        }
    }

    /// Returns the `count` samples that the server lists.
    private func list(_ range: InstantRange, count: Int) async throws -> [RawSample] {
        var samples: [RawSample] = []
        var cursor: String?
        repeat {
            try Task.checkCancellation()
            let page = try await server.samples(of: type, in: range, from: cursor)
            samples += page.samples
            // Its pages may repeat, or not end.
            guard samples.count <= count, page.next == nil || !page.samples.isEmpty else {
                throw contradiction("its digests and its list of samples")
            }
            cursor = page.next
        } while cursor != nil
        return samples
    }

    private func difference(_ interval: GridInterval, _ samples: [SampleDifference]) -> [IntervalDifference] {
        samples.isEmpty ? [] : [IntervalDifference(interval: interval, samples: samples)]
    }

    private func contradiction(_ what: String) -> SyncFailure {
        SyncFailure(
            .unverifiable, subject: "the server's \(type.shortName)", reason: "\(what) contradict each other",
            advice: "if the server is being changed, try again later; otherwise its database is damaged")
    }
}

/// The local raw samples of one type: digests of any interval of the grid from running totals, and the samples
/// themselves from the pages on request.
struct LocalSamples: Sendable {
    private let loader: RawSampleLoader
    private let digests: RunningDigests

    /// The range of the starts.
    let range: InstantRange
    /// The number of samples that start within the range.
    let count: Int

    /// Reads each page with samples of the intervals that cover `range` once.
    init(
        _ loader: RawSampleLoader, covering range: InstantRange, progress: any ProgressReporter
    ) async throws {
        self.loader = loader
        self.range = range
        var digests = RunningDigests()
        var count = 0
        let cover = GridInterval.cover(of: range)
        let whole = InstantRange(start: cover.first?.start ?? range.start, end: cover.last?.end ?? range.end)
        if let days = try await Self.utcDays(in: whole, loader) {
            var done = 0
            for run in DayRange.runs(of: Array(days), atMost: Self.daysAtOnce) {
                try Task.checkCancellation()
                let samples = try await loader.samples(on: run)
                for row in 0..<samples.count { digests.append(RawSample(samples, row, of: loader.definition.type)) }
                count += samples.rows(in: range).count
                done += run.count
                progress.report(phase: "reading", done: Int64(done), total: Int64(days.count))
            }
        }
        self.count = count
        self.digests = digests
    }

    /// Returns the digest of the samples that start within `interval`.
    func digest(of interval: GridInterval) -> SampleSetDigest { digests.digest(of: interval) }

    /// Returns the samples that start within `range`.
    func samples(in range: InstantRange) async throws -> [RawSample] {
        guard let days = try await Self.utcDays(in: range, loader) else { return [] }
        var found: [RawSample] = []
        for run in DayRange.runs(of: Array(days), atMost: Self.daysAtOnce) {
            let samples = try await loader.samples(on: run)
            found += samples.rows(in: range).map { RawSample(samples, $0, of: loader.definition.type) }
        }
        return found
    }

    /// Returns the UTC days that have samples and overlap `range`; `nil` if none exist.
    private static func utcDays(in range: InstantRange, _ loader: RawSampleLoader) async throws -> DayRange? {
        guard !range.isEmpty, let extent = try await loader.pages.dayExtent(of: [loader.definition.type]) else {
            return nil
        }
        let last = range.end.advanced(byMilliseconds: -1)
        return DayRange(CalendarDay(utcDayOf: range.start), through: CalendarDay(utcDayOf: last))?
            .intersection(extent)
    }

    private static let daysAtOnce = 366
}

/// One or more adjacent intervals that are listed together.
private struct AdjacentIntervals {
    private(set) var intervals: [GridInterval]
    private(set) var range: InstantRange
    private(set) var digest: SampleSetDigest

    init(_ first: GridInterval, digest: SampleSetDigest) {
        intervals = [first]
        range = first.range
        self.digest = digest
    }

    /// Returns the nodes with adjacent ones joined.
    static func joined(_ nodes: [(interval: GridInterval, digest: SampleSetDigest)]) -> [AdjacentIntervals] {
        var groups: [AdjacentIntervals] = []
        for node in nodes.sorted(by: { $0.interval.start < $1.interval.start }) {
            if let last = groups.indices.last, groups[last].range.end == node.interval.start {
                groups[last].append(node.interval, digest: node.digest)
            } else {
                groups.append(AdjacentIntervals(node.interval, digest: node.digest))
            }
        }
        return groups
    }

    private mutating func append(_ next: GridInterval, digest more: SampleSetDigest) {
        intervals.append(next)
        range = InstantRange(start: range.start, end: next.end)
        digest = digest + more
    }
}
