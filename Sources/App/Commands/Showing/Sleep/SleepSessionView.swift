import HealthSyncDomain

/// A sleep session.
struct SleepSessionView {
    let session: SleepSession
    let clock: DayClock

    /// `7.5h sleep, 94% efficiency`, or `8.0h in bed` if only time in bed is known.
    var summary: String {
        session.durations.isSleepKnown
            ? "\(Figures.hours(milliseconds: session.durations.asleep)) sleep, \(efficiency) efficiency"
            : "\(Figures.hours(milliseconds: session.durations.inBed)) in bed"
    }

    /// Returns `main 22:58 to 07:01, 7.5h sleep, 94% efficiency (Apple Watch)`; on three lines if that is wider than
    /// `columns`, unless it suffices to cut the name of the source.
    func lines(columns: Int) -> [String] {
        let span = "\(session.role.rawValue) \(time(session.interval.start)) to \(time(session.interval.end))"
        let source = "(\(UntrustedText.escaped(session.origin.sourceName)))"
        let line = "\(span), \(summary) \(source)"
        let isCutOK = DisplayText.width("\(span), \(summary)") + 10 <= columns
        return isCutOK || DisplayText.width(line) <= columns ? [line] : [span, summary, source]
    }

    /// `22:58-07:01`, by the user's wall clock.
    var times: String { "\(time(session.interval.start))-\(time(session.interval.end))" }

    /// `94%`.
    var efficiency: String { Figures.rounded(session.durations.efficiencyPercentage, places: 0) + "%" }

    var json: JSONValue {
        let durations = session.durations
        let minutes: [(String, Int64)] = [
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
            head + [
                JSONValue.Member(name: "timeInBedMinutes", value: .minutes(durations.inBed)),
                JSONValue.Member(
                    name: "totalSleepMinutes", value: durations.isSleepKnown ? .minutes(durations.asleep) : .null),
            ]
                // A time that was not measured is not 0. Besides the time in bed, only the time awake may be known.
                + minutes.map { name, length in
                    JSONValue.Member(name: name, value: durations.isSleepKnown || length > 0 ? .minutes(length) : .null)
                } + [
                    JSONValue.Member(
                        name: "sleepEfficiencyPercentage",
                        value: durations.isSleepKnown ? .number(durations.efficiencyPercentage) : .null),
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

    /// Returns `22:58`, with the offset if the clocks show that time twice.
    private func time(_ instant: Instant) -> String {
        let wall = wall(instant)
        let time = String(wall.dropFirst(11).prefix(5))
        return clock.showsTwice(instant) ? "\(time) \(wall.suffix(6))" : time
    }
}
