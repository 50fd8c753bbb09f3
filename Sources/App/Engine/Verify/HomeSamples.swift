import HealthSyncDomain
import HealthSyncPorts

/// The raw samples of one type that are kept at home: digests of any interval of the grid from running totals, the
/// samples themselves from the pages when they are asked for.
struct HomeSamples: Sendable {
    private let loader: HomeSampleLoader
    private let digests: RunningDigests

    /// The samples that start within.
    let range: InstantRange
    /// How many those are.
    let count: Int

    /// Reads every page that holds a sample of the intervals that cover `range` once.
    init(
        _ loader: HomeSampleLoader, covering range: InstantRange, progress: any ProgressReporter
    ) async throws {
        self.loader = loader
        self.range = range
        var digests = RunningDigests()
        var count = 0
        let cover = GridInterval.cover(of: range)
        let whole = InstantRange(start: cover.first?.start ?? range.start, end: cover.last?.end ?? range.end)
        if let days = try await loader.utcDays(in: whole) {
            var done = 0
            for run in DayRange.runs(of: Array(days), atMost: 31) {
                try Task.checkCancellation()
                for sample in try await loader.samples(on: run) {
                    digests.append(sample)
                    if range.contains(sample.start) { count += 1 }
                }
                done += run.count
                progress.report(phase: "reading", done: Int64(done), total: Int64(days.count))
            }
        }
        self.count = count
        self.digests = digests
    }

    /// The digest of the samples that start within `interval`.
    func digest(of interval: GridInterval) -> SampleSetDigest { digests.digest(of: interval) }

    /// The samples that start within `range`.
    func samples(in range: InstantRange) async throws -> [RawSample] {
        guard let days = try await loader.utcDays(in: range) else { return [] }
        var found: [RawSample] = []
        for run in DayRange.runs(of: Array(days), atMost: 31) {
            found += try await loader.samples(on: run).filter { range.contains($0.start) }
        }
        return found
    }
}
