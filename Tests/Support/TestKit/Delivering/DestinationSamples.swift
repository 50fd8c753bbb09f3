import HealthSyncDomain
import HealthSyncPorts

/// Records for the contract of destinations: ordinary ones, and ones with names and numbers that break naive encoders.
enum DestinationSamples {
    private static let firstDay = CalendarDay(utcDayOf: Instant(seconds: 1_705_276_800))
    private static let oddName = "Anna’s \"Watch\"\n\u{1}\\ 🏃"

    /// Returns the encoder's payload of each record.
    static func payloads(by encoder: any HealthRecordEncoder, revision: Int = 1) -> [[UInt8]] {
        progress.map { encoder.payload(of: $0.with(revision)) }
            + sessions.map { encoder.payload(of: $0.with(revision)) }
            + snapshots.map { encoder.payload(of: $0.with(revision)) }
    }

    /// Returns batches of each kind that the destination accepts: one, or several of at most `size` records.
    static func batches(
        for destination: HealthDestination, _ capabilities: DestinationCapabilities, ofAtMost size: Int = .max
    ) -> [OutboxBatch] {
        let bench = DestinationBench(destination)
        return [
            progress.map { bench.record($0) }, sessions.map { bench.record($0) }, snapshots.map { bench.record($0) },
        ]
        .flatMap { records -> [OutboxBatch] in
            guard let kind = records.first?.kind, let limit = capabilities.limit(of: kind) else { return [] }
            let sent = Array(records.prefix(limit))
            return stride(from: 0, to: sent.count, by: min(size, sent.count)).map { first in
                bench.batch(
                    Array(sent[first..<min(first + min(size, sent.count), sent.count)]), capabilities: capabilities)
            }
        }
    }

    /// Returns a deletion of each kind, if the destination accepts deletions.
    static func deletions(
        for destination: HealthDestination, _ capabilities: DestinationCapabilities
    ) -> [OutboxBatch] {
        let bench = DestinationBench(destination)
        guard capabilities.acceptsDeletions else { return [] }
        return batches(for: destination, capabilities, ofAtMost: 1).compactMap { batch in
            batch.recordIDs.first?.first.map {
                bench.batch([bench.tombstone($0, kind: batch.kind, revision: 2)], capabilities: capabilities)
            }
        }
    }

    /// Returns the payload of two raw samples.
    static func samplePayload(by encoder: any RawSampleEncoder) -> [UInt8] {
        var columns = SampleColumns()
        columns.append(start: 1_705_305_600_000, duration: 3_600_000, value: 1_250)
        columns.append(start: 1_705_309_200_500, duration: 0, value: 7)
        var samples = RawSamples()
        let ids = [SampleID(high: 1, low: 2), SampleID(high: 3, low: 4)]
        samples.append(columns, ids: ids, origin: SampleOrigin(sourceName: oddName, device: "name:Watch"))
        return encoder.payload(
            of: samples, kind: .steps, unit: "count",
            revisions: [ids[1]: SampleRevision(id: ids[1], revision: 2, isDeleted: false)])
    }

    private static let progress: [RevisedRecord<DailyProgress>] = [0, 1250, 0.1 + 0.2, 1e20, 1e-7].enumerated().map {
        index, quantity in
        let day = firstDay.advanced(by: index)
        let start = day.utcStart.advanced(bySeconds: -3_600)
        let figures = ProgressFigures(quantity: quantity, minimum: -quantity, maximum: quantity, count: 3)
        return RevisedRecord(
            DailyProgress(
                metric: .steps, day: day, start: start, unit: "count", figures: figures,
                hours: index == 0 ? [] : [HourProgress(start: start, figures: ProgressFigures(quantity: quantity))]),
            sourceID: "steps/\(day)", revision: 1)
    }

    private static let sessions: [RevisedRecord<SleepSession>] = (0..<4).map { index in
        // The last two differ only in their ids.
        let day = firstDay.advanced(by: min(index, 2))
        let interval = InstantRange(
            start: day.utcStart.advanced(bySeconds: -7_320), end: day.utcStart.advanced(bySeconds: 21_660))
        return RevisedRecord(
            SleepSession(
                day: day, interval: interval, origin: SampleOrigin(sourceName: oddName), offsetSeconds: -16_200,
                stages: index == 0 ? [] : [SleepStageInterval(stage: .core, interval: interval)],
                durations: SleepDurations()),
            sourceID: "session-\(index)", revision: 1)
    }

    private static let snapshots: [RevisedRecord<ActivitySnapshot>] = (0..<3).map { index in
        var snapshot = ActivitySnapshot(day: firstDay.advanced(by: index))
        if index > 0 { snapshot.steps = 8_000.5 }
        if index > 1 { snapshot.minutesAsleep = 0 }
        return RevisedRecord(snapshot, sourceID: "snapshot/\(snapshot.day)", revision: 1)
    }
}

extension RevisedRecord {
    fileprivate func with(_ revision: Int) -> RevisedRecord {
        RevisedRecord(record, sourceID: sourceID, revision: revision)
    }
}
