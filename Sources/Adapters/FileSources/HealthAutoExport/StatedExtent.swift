import HealthSyncDomain

/// The times of the samples of one file.
struct StatedExtent {
    private var intervals: [SampleType: FeedStatement.Interval] = [:]
    private var latest: Instant?

    mutating func add(_ sample: SampleDelivery.Sample) {
        let type = sample.definition.type
        var interval =
            intervals[type]
            ?? FeedStatement.Interval(type: type, start: sample.interval.start, end: sample.interval.end)
        interval.start = min(interval.start, sample.interval.start)
        interval.end = max(interval.end, sample.interval.end)
        intervals[type] = interval
        // A bucket may not have ended when the file was written.
        let measured = sample.origin.isPreAggregated ? sample.interval.start : sample.interval.end
        latest = max(latest ?? measured, measured)
    }

    /// Returns what `file` states; `nil` if it contains no sample.
    func statement(of file: HealthAutoExportFile) -> FeedStatement? {
        guard !intervals.isEmpty else { return nil }
        return FeedStatement(
            version: FeedStatement.version(latest: latest, arrival: file.written),
            intervals: intervals.values.sorted { $0.type < $1.type }, hasLocalTimes: file.hasLocalTimes)
    }
}
