import HealthSyncDomain

/// Reads sleep sessions as `SleepReader` stores them.
enum ReceivedSleep {
    /// A session with the place that its sender stated, or without one.
    enum Session {
        case placed(SleepSession)
        case unplaced(SleepArrangement.Recorded)
    }

    /// How much of the stages of a session is read.
    enum Detail {
        /// All of them; the durations are calculated from them.
        case stages
        /// One, if any: the durations are the stored ones. For years of nights, of which only the times are needed.
        case durations
    }

    /// Returns the session, or `nil` if its times are invalid.
    static func session(_ record: ReceivedRecord, _ detail: Detail = .stages) throws -> Session? {
        try JSONDocument.read(record.body) { body in
            guard let startText = body["start_time"]?.string, let start = RFC3339.instant(startText),
                let endText = body["end_time"]?.string, let end = RFC3339.instant(endText), start <= end
            else { return nil }
            let offset = offsetSeconds(of: startText, at: start)
            let interval = InstantRange(start: start, end: end)
            // Without a place, the night is found by the stages.
            let isPlaced = body["day"].map { !$0.isNull } ?? false
            let stages = stages(body["stages"], limit: detail == .stages || !isPlaced ? .max : 1)
            let origin = SampleOrigin(sourceName: body["source"]?.string ?? "")
            let durations =
                stages.isEmpty || detail == .durations
                ? sums(body, within: interval) : SleepDurations(of: stages, within: interval)
            if let day = body["day"]?.string.flatMap({ CalendarDay($0) }), let night = instant(body["night_id"]),
                let role = body["role"]?.string.flatMap({ SleepSession.Role(rawValue: $0) })
            {
                return .placed(
                    SleepSession(
                        day: day, onset: night, role: role, interval: interval, origin: origin,
                        offsetSeconds: offset, stages: stages, durations: durations, share: share(body["counted"])))
            }
            let clock = SleepClock(offsetSeconds: offsetSeconds(of: endText, at: end))
            return .unplaced(
                SleepArrangement.Recorded(
                    origin: origin, interval: interval, stages: stages, durations: durations, offsetSeconds: offset,
                    clock: SleepArrangement.StatedClock(end: end, clock: clock)))
        }
    }

    private static func share(_ counted: ParsedJSON?) -> SleepShare? {
        guard let counted, counted.isObject else { return nil }
        var stretches: [InstantRange] = []
        counted["stretches"]?.forEachElement { element in
            guard let start = instant(element["start_time"]), let end = instant(element["end_time"]) else { return }
            stretches.append(InstantRange(start: start, end: end))
        }
        var durations = sums(counted, asleep: "asleep_minutes")
        durations.inBed = milliseconds(counted, "time_in_bed_minutes")
        return SleepShare(stretches: stretches, durations: durations)
    }

    private static func instant(_ value: ParsedJSON?) -> Instant? {
        unsafe value?.withUTF8 { unsafe RFC3339.instant($0) } ?? nil
    }

    /// Returns the UTC offset of a time in seconds: its local time minus its instant.
    private static func offsetSeconds(of text: String, at instant: Instant) -> Int64 {
        guard let local = RFC3339.instant(text.prefix(19) + "Z") else { return 0 }
        // The local time is truncated to the second.
        return (local.milliseconds - instant.milliseconds + 999).flooredQuotient(by: 1000)
    }

    private static func stages(_ list: ParsedJSON?, limit: Int) -> [SleepStageInterval] {
        var stages: [SleepStageInterval] = []
        list?.forEachElement { element in
            guard stages.count < limit, let stage = element["stage"]?.string.flatMap({ SleepStage(rawValue: $0) }),
                let start = instant(element["start_time"]), let end = instant(element["end_time"])
            else { return }
            stages.append(SleepStageInterval(stage: stage, interval: InstantRange(start: start, end: end)))
        }
        return stages
    }

    private static func milliseconds(_ body: ParsedJSON, _ name: StaticString) -> Int64 {
        Int64((min(max(body[name]?.number ?? 0, 0), 1e9) * 60_000).rounded())
    }

    private static func sums(_ body: ParsedJSON, within interval: InstantRange) -> SleepDurations {
        var sums = sums(body, asleep: "total_sleep_minutes")
        sums.inBed = interval.milliseconds
        return sums
    }

    private static func sums(_ body: ParsedJSON, asleep: StaticString) -> SleepDurations {
        var sums = SleepDurations()
        sums.asleep = milliseconds(body, asleep)
        sums.awake = milliseconds(body, "awake_minutes")
        sums.core = milliseconds(body, "core_minutes")
        sums.deep = milliseconds(body, "deep_minutes")
        sums.rem = milliseconds(body, "rem_minutes")
        sums.unspecified = max(0, sums.asleep - sums.core - sums.deep - sums.rem)
        return sums
    }
}

/// The nights of received sessions. A sender of this version states them; those of other senders are computed by the same
/// rules (`SleepArrangement`).
enum ReceivedNights {
    /// Returns all sessions with their places. Where several senders recorded a night, that of a sender that states
    /// nights counts.
    static func sessions(_ received: [ReceivedSleep.Session], by priority: OriginPriority) -> [SleepSession] {
        var placed: [SleepSession] = []
        var unplaced: [SleepArrangement.Recorded] = []
        for session in received {
            switch session {
            case .placed(let session): placed.append(session)
            case .unplaced(let recorded): unplaced.append(recorded)
            }
        }
        guard !unplaced.isEmpty else { return placed }
        let arrangement = SleepArrangement(
            gapMinutes: SleepSessionBuilder.standardGapMinutes,
            nightGapMinutes: SleepSessionBuilder.standardNightGapMinutes, priority: priority
        ) { _ in SleepClock(offsetSeconds: 0) }
        return placed + beside(placed, arrangement.sessions(unplaced))
    }

    /// Returns `computed` such that no night is counted twice and no day has two main sleeps.
    private static func beside(_ placed: [SleepSession], _ computed: [SleepSession]) -> [SleepSession] {
        let counting = placed.filter { $0.share != nil }.sorted { $0.interval.start < $1.interval.start }
        guard !counting.isEmpty else { return computed }
        let mains = Set(counting.filter { $0.role == .main }.map(\.day))
        let longest = counting.map(\.interval.milliseconds).max() ?? 0
        var covered: Set<Instant> = []
        for session in computed where session.share != nil {
            let earliest = session.interval.start.advanced(byMilliseconds: -longest)
            let near = counting[counting.partitionPoint { $0.interval.start < earliest }...]
                .prefix { $0.interval.start < session.interval.end }
            if near.contains(where: { $0.interval.intersection(session.interval) != nil }) {
                covered.insert(session.onset)
            }
        }
        let asleep = Dictionary(grouping: computed, by: \.onset).mapValues { sessions in
            sessions.reduce(0) { $0 + ($1.share?.durations.asleep ?? 0) }
        }
        return computed.map { session in
            var session = session
            if covered.contains(session.onset) { session.share = nil }
            if session.role == .main, mains.contains(session.day) {
                session.role = asleep[session.onset] ?? 0 < SleepSession.longSleep ? .nap : .additional
            }
            return session
        }
    }
}
