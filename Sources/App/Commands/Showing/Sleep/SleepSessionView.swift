import HealthSyncDomain

/// A sleep session.
struct SleepSessionView {
    let session: SleepSession
    let clock: DayClock

    /// `7.5h sleep, 94% efficiency`.
    var summary: String { "\(Figures.hours(milliseconds: session.durations.asleep)) sleep, \(efficiency) efficiency" }

    /// `main 22:58 to 07:01, 7.5h sleep, 94% efficiency (Apple Watch)`.
    var line: String {
        "\(session.role.rawValue) \(Self.time(start)) to \(Self.time(end)), \(summary) "
            + "(\(UntrustedText.escaped(session.origin.sourceName)))"
    }

    /// `22:58-07:01`, by the person's wall clock.
    var times: String { "\(Self.time(start))-\(Self.time(end))" }

    /// `94%`.
    var efficiency: String { Figures.rounded(session.durations.efficiencyPercentage, places: 0) + "%" }

    var json: JSONValue {
        let durations = session.durations
        let minutes: [(String, Int64)] = [
            ("timeInBedMinutes", durations.inBed), ("totalSleepMinutes", durations.asleep),
            ("awakeMinutes", durations.awake), ("remMinutes", durations.rem), ("coreMinutes", durations.core),
            ("deepMinutes", durations.deep), ("unspecifiedMinutes", durations.unspecified),
        ]
        let head: [JSONValue.Member] = [
            JSONValue.Member(name: "day", value: .string("\(session.day)")),
            JSONValue.Member(name: "night", value: .string("\(session.night)")),
            JSONValue.Member(name: "role", value: .string(session.role.rawValue)),
            JSONValue.Member(name: "preferred", value: .bool(session.isPreferred)),
            JSONValue.Member(name: "start", value: .string(start)), JSONValue.Member(name: "end", value: .string(end)),
        ]
        return .object(
            head + minutes.map { JSONValue.Member(name: $0, value: .minutes($1)) } + [
                JSONValue.Member(name: "sleepEfficiencyPercentage", value: .number(durations.efficiencyPercentage)),
                JSONValue.Member(name: "source", value: .string(session.origin.sourceName)),
                JSONValue.Member(name: "segments", value: .array(segments)),
            ])
    }

    private var segments: [JSONValue] {
        (Hypnogram(of: session)?.segments ?? []).map { segment in
            [
                "stage": .string(segment.stage.rawValue), "start": .string(wall(segment.interval.start)),
                "end": .string(wall(segment.interval.end)),
            ]
        }
    }

    private var start: String { wall(session.interval.start) }
    private var end: String { wall(session.interval.end) }

    private func wall(_ instant: Instant) -> String {
        RFC3339.string(instant, offsetSeconds: session.offsetSeconds(at: instant, by: clock))
    }

    private static func time(_ wall: String) -> String { String(wall.dropFirst(11).prefix(5)) }
}
