import HealthSyncDomain

/// A night, a nap, or a session by itself.
struct SleepEpisodeView: JSONEncodable {
    let sleep: SleepEpisode
    let clock: DayClock

    /// `7 h 30 min, 94% efficiency`, or `8 h 0 min in bed` if only time in bed is known.
    var summary: String {
        sleep.durations.isSleepKnown
            ? "\(DurationText.minutes(milliseconds: Double(sleep.durations.asleep))), \(efficiency) efficiency"
            : "\(DurationText.minutes(milliseconds: Double(sleep.durations.inBed))) in bed"
    }

    /// Returns `main 22:58 to 07:01, 7 h 30 min, 94% efficiency (Apple Watch)`; on three lines if that is wider than
    /// `columns`, unless it suffices to cut the name of the source.
    func lines(columns: Int) -> [String] {
        let span = "\(sleep.role.rawValue) \(time(sleep.interval.start)) to \(time(sleep.interval.end))"
        let source = "(\(UntrustedText.escaped(sleep.sourceNames)))"
        let line = "\(span), \(summary) \(source)"
        let isCutOK = DisplayText.width("\(span), \(summary)") + 10 <= columns
        return isCutOK || DisplayText.width(line) <= columns ? [line] : [span, summary, source]
    }

    /// `22:58-07:01`, by the user's wall clock.
    var times: String { "\(time(sleep.interval.start))-\(time(sleep.interval.end))" }

    /// `94%`.
    var efficiency: String { Figures.rounded(sleep.durations.efficiencyPercentage, places: 0) + "%" }

    var json: JSONValue {
        let durations = sleep.durations
        let isKnown = durations.isSleepKnown
        // A time that was not measured is not 0. Besides the time in bed, only the time awake may be known.
        func minutes(_ length: Int64) -> JSONValue { .minutes(isKnown || length > 0 ? length : nil) }
        return [
            "day": sleep.day, "role": sleep.role.rawValue, "counts": sleep.counts, "start": wall(sleep.interval.start),
            "end": wall(sleep.interval.end), "timeInBedMinutes": JSONValue.minutes(durations.inBed),
            "totalSleepMinutes": JSONValue.minutes(isKnown ? durations.asleep : nil),
            "awakeMinutes": minutes(durations.awake), "remMinutes": minutes(durations.rem),
            "coreMinutes": minutes(durations.core), "deepMinutes": minutes(durations.deep),
            "unspecifiedMinutes": minutes(durations.unspecified),
            "sleepEfficiencyPercentage": isKnown ? durations.efficiencyPercentage : nil,
            "sources": sleep.sources, "segments": segments,
            // Deprecated: the former names.
            "night": sleep.day, "preferred": sleep.counts, "source": sleep.sourceNames,
        ]
    }

    private var segments: [JSONValue] {
        (Hypnogram(of: sleep)?.segments ?? []).map { segment in
            [
                "stage": segment.stage.rawValue, "start": wall(segment.interval.start),
                "end": wall(segment.interval.end),
            ] as JSONValue
        }
    }

    private func wall(_ instant: Instant) -> String {
        RFC3339.string(instant, offsetSeconds: sleep.offsetSeconds(at: instant, by: clock))
    }

    /// Returns `22:58`, with the offset if the clocks show that time twice.
    private func time(_ instant: Instant) -> String {
        let wall = wall(instant)
        let time = String(wall.dropFirst(11).prefix(5))
        return clock.showsTwice(instant) ? "\(time) \(wall.suffix(6))" : time
    }
}
