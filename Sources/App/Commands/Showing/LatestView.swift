import HealthSyncDomain

/// The latest steps, heart rate and sleep, each with its day.
struct LatestView {
    let latest: SummaryReader.Latest

    var lines: [String] {
        var table = TextTable([.left, .left, .left])
        let steps = latest.steps.map { Figures.rounded($0.figures.quantity, places: 0) }
        let heartRate = latest.heartRate.map { ProgressView(progress: $0).text }
        let sleep = latest.sleep.map { SleepView(session: $0).summary }
        table.add("steps", steps ?? "none", day(latest.steps?.day))
        table.add("heart rate", heartRate ?? "none", day(latest.heartRate?.day))
        table.add("sleep", sleep ?? "none", day(latest.sleep?.day))
        return table.lines()
    }

    var json: JSONValue {
        [
            "steps": latest.steps.map { ProgressView(progress: $0).json } ?? .null,
            "heartRate": latest.heartRate.map { ProgressView(progress: $0).json } ?? .null,
            "sleep": latest.sleep.map { SleepView(session: $0).json } ?? .null,
        ]
    }

    private func day(_ day: CalendarDay?) -> String { day.map { "\($0)" } ?? "" }
}
