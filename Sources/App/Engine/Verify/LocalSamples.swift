import HealthSyncDomain
import HealthSyncPorts

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
