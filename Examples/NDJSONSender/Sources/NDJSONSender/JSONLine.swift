import Foundation
import HealthSyncDomain

/// One metric's day.
struct DayLine: Encodable {
    var kind = "progress"
    let id: String
    let revision: Int
    let metric: String
    let day: String
    let unit: String
    let figures: ProgressFigures
    let hours: [HourLine]
}

/// One hour of a day.
struct HourLine: Encodable {
    let id: String
    let start: String
    let figures: ProgressFigures
}

/// One sleep session.
struct SleepLine: Encodable {
    var kind = "sleep"
    let id: String
    let revision: Int
    let source: String
    let start: String
    let end: String
    let stages: [StageLine]
}

/// One stage of a session.
struct StageLine: Encodable {
    let stage: String
    let start: String
    let end: String
}

/// One day's activity snapshot; figures that were not measured are absent.
struct SnapshotLine: Encodable {
    var kind = "snapshots"
    let id: String
    let revision: Int
    let day: String
    let steps: Double?
    let minutesAsleep: Double?
    let restingHeartRate: Double?
}

/// The deletion of a record, or of the entry of one day or hour.
struct TombstoneLine: Encodable {
    let kind: String
    let id: String
    let revision: Int
    var deleted = true
}

/// Canonical JSON: sorted names, so that equal values give equal bytes.
enum JSONLine {
    static func bytes(of value: some Encodable) -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        encoder.nonConformingFloatEncodingStrategy = .convertToString(
            positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
        // Lines contain only strings, lists and numbers, so encoding does not fail.
        return (try? encoder.encode(value)).map(Array.init) ?? []
    }
}
