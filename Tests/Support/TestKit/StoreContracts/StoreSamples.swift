package import HealthSyncDomain
package import HealthSyncPorts

/// Sample values for the store contracts.
package enum StoreSamples {
    package static let watch = SampleOrigin(sourceName: "Anna’s Apple Watch", device: "name:Apple Watch")
    static let phone = SampleOrigin(sourceName: "iPhone", device: "name:iPhone", isUserEntered: true)

    /// The first day; others are relative to it.
    package static func day(_ offset: Int) -> CalendarDay { CalendarDay(ordinal: 19_700 + offset) }

    package static func days(_ first: Int, _ last: Int) -> DayRange {
        DayRange(day(first)).widened(before: 0, after: last - first)
    }

    static func digest(_ number: Int) -> ContentDigest {
        ContentDigest(high: UInt64(number) &* 0x9E37_79B9_7F4A_7C15, low: UInt64(number))
    }

    package static func page(
        _ type: SampleType, _ origin: SampleOrigin, day offset: Int, value: Double = 1
    ) -> PackedPage {
        let day = day(offset)
        var columns = SampleColumns()
        columns.append(start: day.utcStart.milliseconds, duration: 60_000, value: value)
        columns.append(start: day.utcStart.milliseconds + 90_500, duration: 0, value: value + 0.5)
        let bytes = SamplePageCodec.encode(columns, day: day)
        let start = Instant(milliseconds: day.utcStart.milliseconds)
        return PackedPage(
            key: SamplePageKey(type: type, origin: origin, day: day),
            summary: SamplePageSummary(
                count: 2, sum: value * 2 + 0.5, firstStart: start, lastEnd: start.advanced(byMilliseconds: 90_500)),
            bytes: bytes, digest: digest(offset * 1000 + Int(value)))
    }

    package static func progress(
        _ metric: HealthMetric, day offset: Int, quantity: Double, revision: Int = 1
    ) -> RevisedRecord<DailyProgress> {
        let day = day(offset)
        var progress = DailyProgress(
            metric: metric, day: day, start: day.utcStart, unit: "count/min",
            figures: ProgressFigures(quantity: quantity, minimum: -0.25, maximum: 1e21, count: 3))
        progress.hours = [
            HourProgress(start: day.utcStart, figures: ProgressFigures(quantity: quantity / 3)),
            HourProgress(
                start: day.utcStart.advanced(bySeconds: 3600),
                figures: ProgressFigures(quantity: 12, minimum: 0.1, maximum: .leastNonzeroMagnitude, count: 7)),
        ]
        progress.origins = [
            OriginProgress(sourceName: "Anna’s \"Watch\" \\ \u{1F}\n", quantity: quantity),
            OriginProgress(sourceName: "", quantity: 0),
        ]
        return RevisedRecord(progress, sourceID: "\(metric)/\(day)", revision: revision)
    }

    package static func session(
        _ sourceID: String, day offset: Int, role: SleepSession.Role = .main, startSecond: Int64 = 0, revision: Int = 1
    ) -> RevisedRecord<SleepSession> {
        let start = day(offset).utcStart.advanced(bySeconds: startSecond)
        let middle = start.advanced(bySeconds: 3600)
        let end = start.advanced(byMilliseconds: 7_200_500)
        var durations = SleepDurations()
        durations.inBed = 7_200_500
        durations.asleep = 3_600_000
        durations.deep = 1
        durations.rem = 2
        durations.core = 3
        durations.awake = 4
        durations.unspecified = 5
        let session = SleepSession(
            day: day(offset), role: role, interval: InstantRange(start: start, end: end), origin: watch,
            offsetSeconds: -12_600,
            stages: [
                SleepStageInterval(stage: .inBed, interval: InstantRange(start: start, end: middle)),
                SleepStageInterval(stage: .rem, interval: InstantRange(start: middle, end: end)),
            ], durations: durations)
        return RevisedRecord(session, sourceID: sourceID, revision: revision)
    }

    package static func snapshot(day offset: Int, steps: Double?, revision: Int = 1) -> RevisedRecord<ActivitySnapshot>
    {
        var snapshot = ActivitySnapshot(day: day(offset))
        snapshot.steps = steps
        snapshot.minutesAsleep = 431.5
        return RevisedRecord(snapshot, sourceID: "snapshot/\(day(offset))", revision: revision)
    }

    static func item(
        _ record: String, revision: Int = 1, kind: RecordKind = .progress, destination: String = "https://one",
        ordering: String? = nil, isTombstone: Bool = false, bytes: Int = 10
    ) -> NewOutboxItem {
        NewOutboxItem(
            destination: destination, kind: kind, dedupKey: "\(record)@\(revision)", orderingKey: ordering ?? record,
            revision: revision, isTombstone: isTombstone, payload: [UInt8](repeating: 0x7B, count: bytes),
            recordIDs: ["\(record)/hour \"1\"", "\(record)/day"])
    }
}
