import HealthSyncDomain

/// Plans when the watch is off the wrist: while it charges, in some nights, and for some hours or all of some days.
struct WearPlanner: Sendable {
    let seed: UInt64

    /// Plans the wear on the day between `night` and `nightAfter`. A nap requires the watch, so on such days it is off
    /// only for charging.
    func wear(from night: Night, to nightAfter: Night, hasNap: Bool) -> WatchWear {
        var stream = SeededStream(seed: seed, day: night.day.ordinal, purpose: .wear)
        let chance = stream.unit()
        let awake = Span(start: night.inBed.end, end: nightAfter.inBed.start)
        var off = [night, nightAfter].filter { !$0.isWatchWorn }.map {
            Span(start: $0.inBed.start - 600, end: $0.inBed.end + 300)
        }
        let isForgotten = !hasNap && chance < 0.012
        if isForgotten {
            off.append(awake)
        } else if !hasNap, chance < 0.04 {
            let start = awake.start + stream.whole(7200, 18_000)
            off.append(Span(start: start, end: min(start + stream.whole(5400, 12_600), awake.end - 3600)))
        } else {
            off.append(charging(awake, inTheMorning: chance > 0.7, &stream))
        }
        return WatchWear(off: off.filter { $0.end > $0.start }, isForgotten: isForgotten)
    }

    private func charging(_ awake: Span, inTheMorning: Bool, _ stream: inout SeededStream) -> Span {
        let length = stream.whole(2100, 3600)
        let start =
            inTheMorning ? awake.start + stream.whole(300, 900) : awake.end - length - stream.whole(1200, 5400)
        return Span(start: start, end: start + length)
    }
}
