import HealthSyncDomain

/// Samples that requests of the commit in hand brought and that stand in no page yet. Those of one series that follow one
/// another share pages, however few each request had, also with those of the commits before: questions open pages, and a
/// page of ten samples takes almost as long as one of a thousand.
struct UnwrittenSamples {
    /// Samples of a series at positions in a row.
    private struct Run {
        let series: Int64
        var firstPosition: Int64
        var columns: ReceivedColumns

        var end: Int64 { firstPosition + Int64(columns.count) }
    }

    /// From so many samples on a page is left as it is.
    private static let largeEnough = 1_024

    private var runs: [Run] = []
    private(set) var count = 0
    /// Grows with every change, so that one can tell whether there was any.
    private(set) var changes = 0

    /// Adds new samples, the first of which is at `position`, behind all that are here.
    mutating func append(_ columns: ReceivedColumns, series: Int64, at position: Int64) {
        changes += 1
        count += columns.count
        let followsLast = runs.last.map { $0.series == series && $0.end == position } ?? false
        if followsLast {
            runs[runs.count - 1].columns.append(columns)
        } else {
            runs.append(Run(series: series, firstPosition: position, columns: columns))
        }
    }

    /// Puts another revision of the sample at `position` in its place; `false` where that is not here.
    mutating func replace(at position: Int64, by sample: ReceivedSample, origin: Int64) -> Bool {
        guard let first = runs.first, first.firstPosition <= position,
            let index = runs.firstIndex(where: { $0.firstPosition <= position && position < $0.end })
        else { return false }
        changes += 1
        runs[index].columns.replace(at: Int(position - runs[index].firstPosition), by: sample, origin: origin)
        return true
    }

    /// Writes all of them as pages.
    mutating func write(over connection: SQLiteConnection) throws {
        guard !runs.isEmpty else { return }
        changes += 1
        for var run in runs {
            try Self.takeIn(&run, over: connection)
            var position = run.firstPosition
            for page in run.columns.pages() {
                try ReceivedSamplePages.insert(page, series: run.series, at: position, over: connection)
                position += Int64(page.count)
            }
        }
        forget()
    }

    /// Takes pages into `run` that end where it begins and are no larger than it. Sizes double from page to page that way, so
    /// that a sample is written a few times only until its page is large enough.
    private static func takeIn(_ run: inout Run, over connection: SQLiteConnection) throws {
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

    /// Forgets all of them, after a rollback.
    mutating func forget() {
        runs.removeAll(keepingCapacity: true)
        count = 0
    }
}
