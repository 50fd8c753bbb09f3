import HealthSyncDomain

/// Reads sleep sessions as `SleepReader` stores them.
enum ReceivedSleep {
    /// How much of the stages of a session is read.
    enum Detail {
        /// All of them; the durations are calculated from them.
        case stages
        /// One, if any: the durations are the stored ones. For years of nights, of which only the times are needed.
        case durations
    }

    /// Returns the session without its role, or `nil` if its times are invalid.
    static func session(_ record: ReceivedRecord, _ detail: Detail = .stages) throws -> SleepSession? {
        try JSONText.read(record.body) { body in
            guard let startText = body["start_time"]?.string, let start = RFC3339.instant(startText),
                let end = instant(body["end_time"]), start <= end
            else { return nil }
            let offset = offsetSeconds(of: startText, at: start)
            let interval = InstantRange(start: start, end: end)
            let stages = stages(body["stages"], limit: detail == .stages ? .max : 1)
            // A night lasts from noon to noon in local time.
            let night = CalendarDay(utcDayOf: start.advanced(bySeconds: offset + 43_200))
            return SleepSession(
                night: night, day: night, interval: interval,
                origin: SampleOrigin(sourceName: body["source"]?.string ?? ""), role: .main, isPreferred: false,
                offsetSeconds: offset, stages: stages,
                durations: stages.isEmpty || detail == .durations
                    ? sums(body, within: interval) : SleepDurations(of: stages, within: interval))
        }
    }

    private static func instant(_ value: JSONValue?) -> Instant? {
        unsafe value?.withUTF8 { unsafe RFC3339.instant($0) } ?? nil
    }

    /// Returns the UTC offset of a time in seconds: its local time minus its instant.
    private static func offsetSeconds(of text: String, at instant: Instant) -> Int64 {
        guard let local = RFC3339.instant(text.prefix(19) + "Z") else { return 0 }
        // The local time is truncated to the second.
        return (local.milliseconds - instant.milliseconds + 999).flooredQuotient(by: 1000)
    }

    private static func stages(_ list: JSONValue?, limit: Int) -> [SleepStageInterval] {
        var stages: [SleepStageInterval] = []
        list?.forEachElement { element in
            guard stages.count < limit, let stage = element["stage"]?.string.flatMap({ SleepStage(rawValue: $0) }),
                let start = instant(element["start_time"]), let end = instant(element["end_time"])
            else { return }
            stages.append(SleepStageInterval(stage: stage, interval: InstantRange(start: start, end: end)))
        }
        return stages
    }

    private static func sums(_ body: JSONValue, within interval: InstantRange) -> SleepDurations {
        func milliseconds(_ name: StaticString) -> Int64 { Int64(((body[name]?.number ?? 0) * 60_000).rounded()) }
        var sums = SleepDurations()
        sums.inBed = interval.milliseconds
        sums.asleep = milliseconds("total_sleep_minutes")
        sums.awake = milliseconds("awake_minutes")
        sums.core = milliseconds("core_minutes")
        sums.deep = milliseconds("deep_minutes")
        sums.rem = milliseconds("rem_minutes")
        sums.unspecified = max(0, sums.asleep - sums.core - sums.deep - sums.rem)
        return sums
    }
}
