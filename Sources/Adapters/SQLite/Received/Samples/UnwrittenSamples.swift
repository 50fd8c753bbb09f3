import HealthSyncDomain

/// Samples that requests of the commit in hand brought and that stand in no page yet. Those of one series that follow one
/// another share pages, however few each request had: what opens many pages is slow.
struct UnwrittenSamples {
    /// Samples of a series at positions in a row.
    private struct Run {
        let series: Int64
        let firstPosition: Int64
        var columns: ReceivedColumns

        var end: Int64 { firstPosition + Int64(columns.count) }
    }

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
        for run in runs {
            var position = run.firstPosition
            for page in run.columns.pages() {
                try ReceivedSamplePages.insert(page, series: run.series, at: position, over: connection)
                position += Int64(page.count)
            }
        }
        forget()
    }

    /// Forgets all of them, after a rollback.
    mutating func forget() {
        runs.removeAll(keepingCapacity: true)
        count = 0
    }
}
