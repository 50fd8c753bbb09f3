import HealthSyncDomain

/// All that is recorded of one day.
struct DayView {
    let record: DayRecord
    let clock: DayClock

    var lines: [String] {
        var table = TextTable([.left, .left])
        if let snapshot = record.snapshot {
            for row in SnapshotView(snapshot: snapshot).rows { table.add(row.name, row.text) }
        }
        for progress in record.progress where !isInSnapshot(progress.metric) {
            table.add(progress.metric.rawValue, ProgressView(progress: progress).text)
        }
        for session in record.sleep { table.add("sleep", SleepSessionView(session: session, clock: clock).line) }
        let lines = table.lines(indentation: 2)
        return ["\(record.day)"] + (lines.isEmpty ? ["  nothing recorded"] : lines)
    }

    /// Whether the snapshot says it already.
    private func isInSnapshot(_ metric: HealthMetric) -> Bool {
        guard let snapshot = record.snapshot else { return false }
        switch metric {
        case .steps: return snapshot.steps != nil
        case .walkingDistance: return snapshot.walkingDistanceKilometres != nil
        case .activeEnergy: return snapshot.activeEnergyKilocalories != nil
        case .exerciseMinutes: return snapshot.exerciseMinutes != nil
        case .restingHeartRate: return snapshot.restingHeartRate != nil
        default: return false
        }
    }

    var json: JSONValue {
        [
            "day": .string("\(record.day)"),
            "snapshot": record.snapshot.map { SnapshotView(snapshot: $0).json } ?? .null,
            "metrics": .array(record.progress.map { ProgressView(progress: $0).json }),
            "sleep": .array(record.sleep.map { SleepSessionView(session: $0, clock: clock).json }),
        ]
    }
}
