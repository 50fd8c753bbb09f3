import Foundation
import HealthSyncDomain
import HealthSyncPorts

/// Writes each record as one JSON object with sorted names.
struct NDJSONEncoder: HealthRecordEncoder {
    func payload(of progress: RevisedRecord<DailyProgress>) -> [UInt8] {
        let day = progress.record
        let ids = day.entryIDs
        return JSONLine.bytes(
            of: DayLine(
                id: ids[0], revision: progress.revision, metric: day.metric.rawValue,
                day: "\(day.day)", unit: day.unit, figures: day.figures,
                hours: zip(ids.dropFirst(), day.hours).map { id, hour in
                    HourLine(id: id, start: RFC3339.string(hour.start), figures: hour.figures)
                }))
    }

    func payload(of session: RevisedRecord<SleepSession>) -> [UInt8] {
        let sleep = session.record
        return JSONLine.bytes(
            of: SleepLine(
                id: session.sourceID, revision: session.revision, source: sleep.origin.sourceName,
                start: RFC3339.string(sleep.interval.start), end: RFC3339.string(sleep.interval.end),
                stages: sleep.stages.map {
                    StageLine(
                        stage: $0.stage.rawValue, start: RFC3339.string($0.interval.start),
                        end: RFC3339.string($0.interval.end))
                }))
    }

    func payload(of snapshot: RevisedRecord<ActivitySnapshot>) -> [UInt8] {
        let day = snapshot.record
        return JSONLine.bytes(
            of: SnapshotLine(
                id: snapshot.sourceID, revision: snapshot.revision, day: "\(day.day)", steps: day.steps,
                minutesAsleep: day.minutesAsleep, restingHeartRate: day.restingHeartRate))
    }
}
