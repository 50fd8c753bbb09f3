import HealthSyncDomain

/// A sleep session.
struct SleepSessionView: JSONEncodable {
    let session: SleepSession
    let clock: DayClock

    /// `7 h 30 min, 94% efficiency`, or `8 h 0 min in bed` if only time in bed is known.
    var summary: String {
        session.durations.isSleepKnown
            ? "\(DurationText.minutes(milliseconds: Double(session.durations.asleep))), \(efficiency) efficiency"
            : "\(DurationText.minutes(milliseconds: Double(session.durations.inBed))) in bed"
    }

    /// Returns `main 22:58 to 07:01, 7 h 30 min, 94% efficiency (Apple Watch)`; on three lines if that is wider than
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
        let isKnown = durations.isSleepKnown
        // A time that was not measured is not 0. Besides the time in bed, only the time awake may be known.
        func minutes(_ length: Int64) -> JSONValue { .minutes(isKnown || length > 0 ? length : nil) }
        return [
            "day": session.day, "night": session.night, "role": session.role.rawValue,
            "preferred": session.isPreferred, "start": wall(session.interval.start),
            "end": wall(session.interval.end), "timeInBedMinutes": JSONValue.minutes(durations.inBed),
            "totalSleepMinutes": JSONValue.minutes(isKnown ? durations.asleep : nil),
            "awakeMinutes": minutes(durations.awake), "remMinutes": minutes(durations.rem),
            "coreMinutes": minutes(durations.core), "deepMinutes": minutes(durations.deep),
            "unspecifiedMinutes": minutes(durations.unspecified),
            "sleepEfficiencyPercentage": isKnown ? durations.efficiencyPercentage : nil,
            "source": session.origin.sourceName, "segments": segments,
        ]
    }

    private var segments: [JSONValue] {
        (Hypnogram(of: session)?.segments ?? []).map { segment in
            [
                "stage": segment.stage.rawValue, "start": wall(segment.interval.start),
                "end": wall(segment.interval.end),
            ] as JSONValue
        }
    }

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
