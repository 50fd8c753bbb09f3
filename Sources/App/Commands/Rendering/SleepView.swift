import HealthSyncDomain

/// A sleep session.
struct SleepView {
    let session: SleepSession

    /// `7.5h sleep, 94% efficiency`.
    var summary: String {
        "\(Figures.hours(milliseconds: session.durations.asleep)) sleep, "
            + "\(Figures.rounded(session.durations.efficiencyPercentage, places: 0))% efficiency"
    }

    /// `main 22:58 to 07:01, 7.5h sleep, 94% efficiency (Apple Watch)`.
    var line: String {
        "\(session.role.rawValue) \(time(session.interval.start)) to \(time(session.interval.end)), \(summary) "
            + "(\(session.origin.sourceName))"
    }

    var json: JSONValue {
        let durations = session.durations
        let minutes: [(String, Int64)] = [
            ("inBed", durations.inBed), ("asleep", durations.asleep), ("awake", durations.awake),
            ("core", durations.core), ("deep", durations.deep), ("rem", durations.rem),
            ("unspecified", durations.unspecified),
        ]
        return [
            "day": .string("\(session.day)"), "night": .string("\(session.night)"),
            "role": .string(session.role.rawValue), "preferred": .bool(session.isPreferred),
            "start": .string(RFC3339.string(session.interval.start, offsetSeconds: session.offsetSeconds)),
            "end": .string(RFC3339.string(session.interval.end, offsetSeconds: session.offsetSeconds)),
            "minutes": .object(
                minutes.map { JSONValue.Member(name: $0.0, value: .number(Double($0.1) / 60_000)) }),
            "efficiencyPercentage": .number(durations.efficiencyPercentage),
            "source": .string(session.origin.sourceName),
        ]
    }

    private func time(_ instant: Instant) -> String {
        String(RFC3339.string(instant, offsetSeconds: session.offsetSeconds).dropFirst(11).prefix(5))
    }
}
