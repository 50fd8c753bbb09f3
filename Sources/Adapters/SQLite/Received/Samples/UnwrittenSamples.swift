import HealthSyncDomain

/// New samples of the current commit that are not yet in a page. The samples of a series share pages across requests and
/// commits, because queries decode whole pages, and a page of ten samples takes almost as long as one of a thousand.
struct UnwrittenSamples {
    /// Samples of a series at consecutive positions.
    private struct Run {
        let series: Int64
        var firstPosition: Int64
        var columns: ReceivedColumns

        var end: Int64 { firstPosition + Int64(columns.count) }
    }

    /// The number of samples from which a page is no longer extended.
    static let largeEnough = 1_024

    private var runs: [Run] = []
    /// The index of the last run of each series.
    private var lastRuns: [Int64: Int] = [:]
    private(set) var count = 0
    /// A counter of changes, to detect whether there was any.
    private(set) var changes = 0

    /// Appends new samples, the first of which is at `position`.
    mutating func append(_ columns: ReceivedColumns, series: Int64, at position: Int64) {
        changes += 1
        count += columns.count
        if let last = lastRuns[series], runs[last].end == position {
            runs[last].columns.append(columns)
        } else {
            lastRuns[series] = runs.count
            runs.append(Run(series: series, firstPosition: position, columns: columns))
        }
    }

    /// Replaces the sample of a series at `position` with another revision; returns `false` if it is not here.
    mutating func replace(at position: Int64, of series: Int64, by sample: ReceivedSample, origin: Int64) -> Bool {
        guard lastRuns[series] != nil,
            let index = runs.firstIndex(where: {
                $0.series == series && $0.firstPosition <= position && position < $0.end
            })
        else { return false }
        changes += 1
        runs[index].columns.replace(at: Int(position - runs[index].firstPosition), by: sample, origin: origin)
        return true
    }

    /// Writes all samples as pages.
    mutating func write(over connection: SQLiteConnection) throws {
        guard !runs.isEmpty else { return }
        changes += 1
        for var run in runs {
            var sums = SampleSumChanges()
            sums.add(run.columns)
            try SampleSumRows.apply(sums, series: run.series, over: connection)
            try Self.mergePages(into: &run, over: connection)
            var position = run.firstPosition
            for page in run.columns.pages() {
                try ReceivedSamplePages.insert(page, series: run.series, at: position, over: connection)
                position += Int64(page.count)
            }
        }
        forget()
    }

    /// Merges pages into `run` that end where it begins and are no larger than it. Page sizes double this way, so a
    /// sample is rewritten only a few times until its page is large enough.
    private static func mergePages(into run: inout Run, over connection: SQLiteConnection) throws {
        while run.columns.count < largeEnough,
            let last = try ReceivedSamplePages.last(of: run.series, over: connection),
            last.firstPosition + Int64(last.count) == run.firstPosition, last.count <= run.columns.count,
            var page = try ReceivedSamplePages.remove(at: last.firstPosition, over: connection)
        {
            page.columns.append(run.columns)
            run.firstPosition = page.firstPosition
            run.columns = page.columns
        }
    }

    /// Discards all samples after a rollback.
    mutating func forget() {
        runs.removeAll(keepingCapacity: true)
        lastRuns.removeAll(keepingCapacity: true)
        count = 0
    }
}
