/// Decides what the sessions of all recorders together amount to: which of their sleep counts, which sessions are one
/// night, to which day a night belongs, and which is the main sleep of a day.
///
/// - *Periods*: sessions whose sleep (from the first to the last moment asleep) overlaps or is at most `gap` apart are a
///   period, also those of several recorders. Their order is: intervals before sums, stages before sleep only, then by
///   priority, then by start. A session counts from its first to its last sleep if nothing that counts covers any of it,
///   else only in the uncovered stretches that are longer than `gap`. Sums, which cannot be divided, count only if nothing
///   covers them. Within a stretch that counts, its recorder decides what is awake, elsewhere any
///   session that counts. The time in bed is from the first start to the last end of the sessions that count.
/// - *Nights*: periods at most `nightGap` apart are one night if each may be a part of one (`Period.mayBeOfNight`); the
///   others are left out. A night or a lone period is an *episode*. The time between its periods is neither awake nor in
///   bed.
/// - *Day*: an episode belongs to the local date of its last moment asleep, or to the next date if it began at 18:00 or
///   later of that date. One clock decides: that of the sample that ends last and states a zone, else the user's there.
/// - *Main sleep*: the episode of a day with most sleep, of equal ones the earlier. Less than three hours by day are always
///   a nap. Of the others, less than three hours are a nap, and more are additional. A nap belongs to the date on which
///   it ends.
/// - Sessions without sleep count only on a day that has no sleep: the longest is its main sleep.
///
/// The rules are those of `docs/numbers.md` (decision 57).
package struct SleepArrangement {
    /// A session before it is placed.
    package struct Recorded {
        package var origin: SampleOrigin
        /// From the first start to the last end.
        package var interval: InstantRange
        /// By start; empty if only sums are known.
        package var stages: [SleepStageInterval]
        package var durations: SleepDurations
        /// Seconds east of UTC at the start.
        package var offsetSeconds: Int64
        /// The clock of the sample that ends last among those that state a zone.
        package var clock: StatedClock?

        package init(
            origin: SampleOrigin, interval: InstantRange, stages: [SleepStageInterval], durations: SleepDurations,
            offsetSeconds: Int64, clock: StatedClock?
        ) {
            self.origin = origin
            self.interval = interval
            self.stages = stages
            self.durations = durations
            self.offsetSeconds = offsetSeconds
            self.clock = clock
        }
    }

    /// The clock that a sample states.
    package struct StatedClock {
        /// The end of the sample.
        package var end: Instant
        package var clock: SleepClock

        package init(end: Instant, clock: SleepClock) {
            self.end = end
            self.clock = clock
        }
    }

    private let gap: Int64
    private let nightGap: Int64
    private let priority: OriginPriority
    private let userClock: (Instant) -> SleepClock

    /// Creates an arrangement.
    ///
    /// - Parameters:
    ///   - gapMinutes: the longest gap within a period.
    ///   - nightGapMinutes: the longest time between periods of one night.
    ///   - priority: the order of origins.
    ///   - userClock: returns the clock of the zone in which the user is at an instant.
    package init(
        gapMinutes: Int, nightGapMinutes: Int, priority: OriginPriority, userClock: @escaping (Instant) -> SleepClock
    ) {
        gap = Int64(gapMinutes) * 60_000
        nightGap = Int64(nightGapMinutes) * 60_000
        self.priority = priority
        self.userClock = userClock
    }

    /// Returns the sessions with their places, by day, start and origin.
    ///
    /// - Parameter recorded: all sessions of each of their nights and days.
    package func sessions(_ recorded: [Recorded]) -> [SleepSession] {
        var episodes = nights(periods(recorded))
        assignRoles(&episodes)
        let lying = placed(recorded.filter { $0.sleep == nil }, beside: episodes)
        return (episodes.flatMap(\.sessions) + lying).sorted(by: Self.precedes)
    }

    private static func precedes(_ left: SleepSession, _ right: SleepSession) -> Bool {
        if left.day != right.day { return left.day < right.day }
        // Texts are made only for sessions that start together.
        if left.interval.start != right.interval.start { return left.interval.start < right.interval.start }
        return (left.origin.orderingText, left.interval.end) < (right.origin.orderingText, right.interval.end)
    }

    // MARK: Periods

    private func periods(_ recorded: [Recorded]) -> [Period] {
        let slept = recorded.compactMap { one in one.sleep.map { (one, $0) } }.sorted { $0.1.start < $1.1.start }
        var groups: [[Recorded]] = []
        var end = Instant(milliseconds: .min)
        for (one, sleep) in slept {
            if let last = groups.indices.last, sleep.start.milliseconds - end.milliseconds <= gap,
                !Self.areNightsOfOneFeed(groups[last], [one])
            {
                groups[last].append(one)
                end = max(end, sleep.end)
            } else {
                groups.append([one])
                end = max(end, sleep.end)
            }
        }
        return groups.map { Period($0.sorted(by: outranks), gap: gap, userClock: userClock) }
    }

    /// Returns whether both contain sums of one recorder: a feed that states two sums states two nights, even if they are
    /// adjacent.
    private static func areNightsOfOneFeed(_ one: [Recorded], _ other: [Recorded]) -> Bool {
        let sums = other.filter(\.stages.isEmpty)
        return !sums.isEmpty
            && one.contains { earlier in
                earlier.stages.isEmpty
                    && sums.contains { $0.origin.recorder.hasSameBytes(as: earlier.origin.recorder) }
            }
    }

    private func outranks(_ left: Recorded, _ right: Recorded) -> Bool {
        if left.stages.isEmpty != right.stages.isEmpty { return right.stages.isEmpty }
        if left.hasStages != right.hasStages { return left.hasStages }
        let (leftRank, rightRank) = (priority.rank(left.origin), priority.rank(right.origin))
        if leftRank != rightRank { return leftRank < rightRank }
        if left.interval.start != right.interval.start { return left.interval.start < right.interval.start }
        return (left.origin.orderingText, left.interval.end) < (right.origin.orderingText, right.interval.end)
    }

    // MARK: Nights and days

    private func nights(_ periods: [Period]) -> [Episode] {
        var nights: [[Period]] = []
        var alone: [[Period]] = []
        for period in periods.sorted(by: { $0.sleep.start < $1.sleep.start }) {
            guard period.mayBeOfNight else {
                alone.append([period])
                continue
            }
            let end = nights.last?.map(\.sleep.end).max()
            if let end, period.sleep.start.milliseconds - end.milliseconds <= nightGap,
                !Self.areNightsOfOneFeed(nights[nights.count - 1].flatMap(\.recorded), period.recorded)
            {
                nights[nights.count - 1].append(period)
            } else {
                nights.append([period])
            }
        }
        return (nights + alone).map { Episode($0, userClock: userClock) }
            .sorted { $0.sleep.start < $1.sleep.start }
    }

    private func assignRoles(_ episodes: inout [Episode]) {
        let rivals = episodes.indices.filter { !episodes[$0].isByDay }
        var mains: Set<Int> = []
        for (_, indices) in Dictionary(grouping: rivals, by: { episodes[$0].day }) {
            let main = indices.min { left, right in
                (episodes[right].asleep, episodes[left].sleep.start)
                    < (episodes[left].asleep, episodes[right].sleep.start)
            }
            if let main { mains.insert(main) }
        }
        for index in episodes.indices {
            if mains.contains(index) {
                episodes[index].role = .main
            } else if episodes[index].asleep >= SleepSession.longSleep {
                episodes[index].role = .additional
            } else {
                episodes[index].role = .nap
                episodes[index].day = episodes[index].dateOfEnd
            }
        }
    }

    // MARK: Sessions without sleep

    /// Returns the places of sessions without sleep.
    private func placed(_ lying: [Recorded], beside episodes: [Episode]) -> [SleepSession] {
        let byDay = Dictionary(grouping: episodes, by: \.day)
        var sessions: [SleepSession] = []
        for (day, recorded) in Dictionary(grouping: lying, by: day) {
            let ranked = recorded.sorted { left, right in
                if left.interval.milliseconds != right.interval.milliseconds {
                    return left.interval.milliseconds > right.interval.milliseconds
                }
                if left.interval.start != right.interval.start { return left.interval.start < right.interval.start }
                return outranks(left, right)
            }
            for (index, one) in ranked.enumerated() {
                if let beside = byDay[day]?.first(where: { $0.interval.intersection(one.interval) != nil }) {
                    sessions.append(
                        one.session(day: day, onset: beside.sleep.start, role: beside.role, share: nil))
                } else {
                    let counts = index == 0 && byDay[day] == nil
                    sessions.append(
                        one.session(
                            day: day, onset: one.interval.start, role: counts ? .main : .additional,
                            share: counts ? SleepShare(stretches: [], durations: one.durations) : nil))
                }
            }
        }
        return sessions
    }

    private func day(of one: Recorded) -> CalendarDay {
        (one.clock?.clock ?? userClock(one.interval.end)).nightDay(from: one.interval.start, to: one.interval.end)
    }
}

extension SleepSession {
    /// Sleep of three hours or more, in milliseconds, is no nap.
    package static let longSleep: Int64 = 3 * 3_600_000
}

/// Sessions whose sleep overlaps or is close together.
private struct Period {
    /// In order of preference.
    let recorded: [SleepArrangement.Recorded]
    /// What counts of each; `nil` for nothing.
    private(set) var shares: [SleepShare?] = []
    /// From the first to the last moment asleep that counts.
    let sleep: InstantRange
    private(set) var asleep: Int64 = 0
    /// From the first start to the last end of the sessions that count.
    private(set) var interval: InstantRange
    let stated: SleepArrangement.StatedClock?
    private let clock: SleepClock

    init(_ recorded: [SleepArrangement.Recorded], gap: Int64, userClock: (Instant) -> SleepClock) {
        self.recorded = recorded
        let stretches = Self.stretches(recorded, gap: gap)
        let moments = zip(recorded, stretches).flatMap { $0.sleepIntervals(in: $1) }
        sleep = InstantRange(
            start: moments.map(\.start).min() ?? recorded[0].interval.start,
            end: moments.map(\.end).max() ?? recorded[0].interval.end)
        interval = recorded[0].interval
        stated = zip(recorded, stretches).compactMap { $1.isEmpty ? nil : $0.clock }.max { $0.end < $1.end }
        clock = stated?.clock ?? userClock(sleep.end)
        share(stretches, moments)
    }

    /// Returns the stretches in which the sleep of each session counts; none for a session that does not count.
    private static func stretches(_ recorded: [SleepArrangement.Recorded], gap: Int64) -> [[InstantRange]] {
        var covered = Coverage()
        return recorded.map { one in
            guard let sleep = one.sleep else { return [] }
            var free = covered.gaps(in: sleep)
            if free != [sleep] {
                free.removeAll { $0.milliseconds <= gap || one.sleepIntervals(in: [$0]).isEmpty }
                if one.stages.isEmpty { free = [] }
            }
            for stretch in free { covered.add(stretch) }
            return free
        }
    }

    private mutating func share(_ stretches: [[InstantRange]], _ moments: [InstantRange]) {
        var hull: InstantRange?
        for (one, own) in zip(recorded, stretches) {
            guard !own.isEmpty else {
                shares.append(nil)
                continue
            }
            var durations = one.stages.isEmpty ? one.durations : SleepDurations()
            for stretch in one.stages.isEmpty ? [] : own { durations.addSleep(of: one.stages, within: stretch) }
            let wider = InstantRange(
                start: min(hull?.start ?? one.interval.start, one.interval.start),
                end: max(hull?.end ?? one.interval.end, one.interval.end))
            durations.inBed = wider.milliseconds - (hull?.milliseconds ?? 0)
            durations.awake = 0
            hull = wider
            asleep += durations.asleep
            shares.append(SleepShare(stretches: own, durations: durations))
        }
        interval = hull ?? interval
        shareAwake(stretches, moments)
    }

    /// Removes `overlap` milliseconds, which an earlier period of the night contains, from the time in bed.
    mutating func removeFromBed(_ overlap: Int64) {
        var rest = overlap
        for index in shares.indices {
            guard rest > 0, let inBed = shares[index]?.durations.inBed else { continue }
            let removed = min(rest, inBed)
            shares[index]?.durations.inBed = inBed - removed
            rest -= removed
        }
    }

    private mutating func shareAwake(_ stretches: [[InstantRange]], _ moments: [InstantRange]) {
        var taken = Coverage(moments)
        var room = max(0, interval.milliseconds - asleep)
        for index in shares.indices where shares[index] != nil {
            let one = recorded[index]
            let others = stretches.indices.filter { $0 != index }.flatMap { stretches[$0] }
            let before = taken.length
            for awake in one.awakeIntervals(besides: others) { taken.add(awake) }
            let length = min(room, one.stages.isEmpty ? one.durations.awake : taken.length - before)
            room -= length
            shares[index]?.durations.awake = length
        }
    }

    /// Whether the period may be joined with another to a night: it begins at night, or in the evening or morning with 90
    /// minutes of sleep, or has three hours of sleep.
    var mayBeOfNight: Bool {
        let begin = clock.secondsOfDay(sleep.start)
        if begin >= SleepClock.nightBegins || begin < SleepClock.nightEnds { return true }
        let isNear = begin >= SleepClock.evening || begin < SleepClock.noon
        return asleep >= (isNear ? SleepClock.nightSleep : SleepSession.longSleep)
    }
}

/// A night, or a period alone.
private struct Episode {
    private var periods: [Period]
    /// From the first to the last moment asleep.
    let sleep: InstantRange
    /// From the first start to the last end.
    let interval: InstantRange
    let asleep: Int64
    /// Whether it is a nap whatever else the day contains.
    let isByDay: Bool
    let dateOfEnd: CalendarDay
    var day: CalendarDay
    var role = SleepSession.Role.nap

    init(_ periods: [Period], userClock: (Instant) -> SleepClock) {
        self.periods = periods
        // A session of one recorder may be in bed while another one begins the next period.
        var inBed = Coverage()
        for index in periods.indices {
            let (own, before) = (periods[index].interval, inBed.length)
            inBed.add(own)
            self.periods[index].removeFromBed(own.milliseconds - (inBed.length - before))
        }
        sleep = Self.hull(periods.map(\.sleep))
        interval = Self.hull(periods.map(\.interval))
        asleep = periods.reduce(0) { $0 + $1.asleep }
        let clock = periods.compactMap(\.stated).max { $0.end < $1.end }?.clock ?? userClock(sleep.end)
        day = clock.nightDay(from: sleep.start, to: sleep.end)
        dateOfEnd = clock.date(sleep.end)
        isByDay = asleep < SleepSession.longSleep && clock.isByDay(sleep)
    }

    var sessions: [SleepSession] {
        periods.flatMap { period in
            zip(period.recorded, period.shares).map {
                $0.session(day: day, onset: sleep.start, role: role, share: $1)
            }
        }
    }

    private static func hull(_ ranges: [InstantRange]) -> InstantRange {
        InstantRange(
            start: ranges.map(\.start).min() ?? Instant(milliseconds: 0),
            end: ranges.map(\.end).max() ?? Instant(milliseconds: 0))
    }
}

extension SleepArrangement.Recorded {
    /// From the first to the last moment asleep; `nil` without sleep.
    fileprivate var sleep: InstantRange? {
        guard !stages.isEmpty else { return durations.asleep > 0 ? interval : nil }
        let asleep = stages.filter { $0.stage.isSleep && !$0.interval.isEmpty }.map(\.interval)
        guard let start = asleep.map(\.start).min(), let end = asleep.map(\.end).max() else { return nil }
        return InstantRange(start: start, end: end)
    }

    fileprivate var hasStages: Bool { durations.core + durations.deep + durations.rem > 0 }

    /// Returns the intervals of sleep within `stretches`.
    fileprivate func sleepIntervals(in stretches: [InstantRange]) -> [InstantRange] {
        guard !stages.isEmpty else { return stretches }
        return stages.filter(\.stage.isSleep).flatMap { item in
            stretches.compactMap { $0.intersection(item.interval) }
        }
    }

    fileprivate func awakeIntervals(besides stretches: [InstantRange]) -> [InstantRange] {
        SleepStageInterval.awake(in: stages, besides: stretches)
    }

    fileprivate func session(
        day: CalendarDay, onset: Instant, role: SleepSession.Role, share: SleepShare?
    ) -> SleepSession {
        SleepSession(
            day: day, onset: onset, role: role, interval: interval, origin: origin,
            offsetSeconds: offsetSeconds, stages: stages, durations: durations, share: share)
    }
}

extension SleepStageInterval {
    /// Returns the intervals awake in `stages` outside of `stretches`, in which other recorders decide.
    package static func awake(in stages: [SleepStageInterval], besides stretches: [InstantRange]) -> [InstantRange] {
        let covered = Coverage(stretches)
        return stages.filter { $0.stage == .awake }.flatMap { covered.gaps(in: $0.interval) }
    }
}

extension Coverage {
    fileprivate init(_ intervals: [InstantRange]) {
        self.init()
        for interval in intervals.sorted(by: { $0.start < $1.start }) where !interval.isEmpty {
            append(interval.start.milliseconds, interval.end.milliseconds)
        }
    }

    /// Adds `interval`, which may be anywhere.
    fileprivate mutating func add(_ interval: InstantRange) {
        guard !interval.isEmpty else { return }
        var other = Coverage()
        other.append(interval.start.milliseconds, interval.end.milliseconds)
        formUnion(other)
    }

    /// Returns the parts of `interval` that are not covered.
    fileprivate func gaps(in interval: InstantRange) -> [InstantRange] {
        var gaps: [InstantRange] = []
        let (start, end) = (interval.start.milliseconds, interval.end.milliseconds)
        forEachGap(from: start, to: end, startingAt: first(endingAfter: start, from: 0)) {
            gaps.append(InstantRange(start: Instant(milliseconds: $0), end: Instant(milliseconds: $1)))
        }
        return gaps
    }
}

extension SleepDurations {
    /// Adds the sleep of `stages` within `stretch`.
    fileprivate mutating func addSleep(of stages: [SleepStageInterval], within stretch: InstantRange) {
        let part = SleepDurations(of: stages, within: stretch)
        asleep += part.asleep
        core += part.core
        deep += part.deep
        rem += part.rem
        unspecified += part.unspecified
    }
}
