package import Foundation

/// The automatic sessions: the first steps of a day start the default shoe, and inactivity ends the active session.
///
/// The result depends only on the user's entries, the samples and the time, not on when and how often the rules ran
/// before: automatic starts and ends are recomputed. Starts, ends and assignments by the user are kept.
package struct AutoSessionRules: Sendable {
    private let clock: DayClock
    private let inactivity: Int64
    private let now: Instant
    /// The days on which sessions may start automatically. Automatic ends are recomputed from the first of them on.
    private let days: DayRange

    /// Creates rules for `days`. A session ends after `inactivityHours` without steps.
    package init(clock: DayClock, inactivityHours: Int, days: DayRange, now: Instant) {
        self.clock = clock
        inactivity = Int64(inactivityHours) * 3_600_000
        self.days = days
        self.now = now
    }

    /// Returns the instant from which `sessions(after:…)` needs the steps.
    package func stepsNeeded(for sessions: ShoeSessions) -> Instant {
        let window = clock.start(of: days.first)
        return min(window, sessions.active?.start ?? window)
    }

    /// Returns the sessions recomputed from those `before`.
    ///
    /// - Parameters:
    ///   - defaultShoe: The shoe that starts automatically, from the day it became the default; never an archived
    ///     one.
    ///   - settled: The hours of `days` that the user assigned.
    ///   - steps: When steps were taken, from `stepsNeeded(for:)` on.
    ///   - newID: Returns the ids of new sessions.
    package func sessions(
        after before: ShoeSessions, defaultShoe: Shoe?, settled: Set<SettledHours>, steps: StepIntervals,
        newID: () -> UUID
    ) -> ShoeSessions {
        let settledDays = Set(settled.map(\.day))
        let bounds = settled.map(\.start)
        let sorted = Partition(before, clock: clock, days: days, settledDays: settledDays)
        var result = sorted.fixed
        for session in sorted.open {
            let starts = (sorted.fixed + sorted.open).map(\.start)
            result.append(closed(session, before: starts + bounds, steps: steps))
        }
        for day in days where !settledDays.contains(day) {
            let automatic = sorted.automatic[day]
            guard let shoe = automatic?.shoe ?? self.shoe(defaultShoe, on: day),
                let start = firstSteps(of: day, besides: result, steps: steps)
            else { continue }
            let session = ShoeSession(id: automatic?.id ?? newID(), shoe: shoe, start: start, isAutoStarted: true)
            result.append(closed(session, before: result.map(\.start) + bounds, steps: steps))
        }
        return ShoeSessions(result)
    }

    /// The sessions, grouped by what may change.
    private struct Partition {
        /// Ended by the user, or before the days to recompute.
        var fixed: [ShoeSession] = []
        /// The end follows from the steps.
        var open: [ShoeSession] = []
        /// Start and end follow from the steps, by day.
        var automatic: [CalendarDay: ShoeSession] = [:]

        init(_ sessions: ShoeSessions, clock: DayClock, days: DayRange, settledDays: Set<CalendarDay>) {
            for session in sessions.all {
                let day = clock.day(of: session.start)
                if session.isActive || (session.isAutoClosed && days.contains(day)) {
                    let isAutomatic = session.isAutoStarted && days.contains(day) && !settledDays.contains(day)
                    if isAutomatic, automatic[day] == nil {
                        automatic[day] = session
                    } else {
                        open.append(session)
                    }
                } else {
                    fixed.append(session)
                }
            }
        }
    }

    private func shoe(_ shoe: Shoe?, on day: CalendarDay) -> Shoe.ID? {
        guard let shoe, let since = shoe.defaultSince, clock.day(of: since) <= day else { return nil }
        return shoe.id
    }

    /// Returns the first steps of `day` while no shoe is worn; `nil` if a session begins on the day or covers it
    /// completely.
    private func firstSteps(of day: CalendarDay, besides sessions: [ShoeSession], steps: StepIntervals) -> Instant? {
        let whole = clock.interval(of: day)
        guard !sessions.contains(where: { whole.contains($0.start) }) else { return nil }
        let reaching = sessions.first { $0.interval.contains(whole.start) }
        let from = reaching?.interval.end ?? whole.start
        guard let first = steps.first(from: from), first < whole.end else { return nil }
        return first
    }

    /// Returns `session` with the end that follows from the steps, limited by the next of `bounds`.
    private func closed(_ session: ShoeSession, before bounds: [Instant], steps: StepIntervals) -> ShoeSession {
        var session = session
        let next = bounds.lazy.filter { $0 > session.start }.min()
        let last = steps.inactive(from: session.start, inactivity: inactivity, now: now)
        session.end = [last, next].compactMap { $0 }.min()
        session.isAutoClosed = session.end != nil
        return session
    }
}

/// The intervals in which steps were taken, according to the samples of any source.
package struct StepIntervals: Sendable {
    private var coverage = Coverage()

    /// Creates the intervals of the step samples in `samples` that began before `now`. A feed's sum over more than an
    /// hour does not show when steps were taken and is ignored, as are values that `CumulativeMerge` rejects as
    /// implausible.
    package init(of samples: [OriginSamples], until now: Instant) {
        var spans: [(start: Int64, end: Int64)] = []
        for origin in samples {
            let columns = origin.columns
            let longest = origin.origin.isPreAggregated ? 3_600_000 : CumulativeMerge.longestSample
            for index in 0..<columns.count {
                let (start, length, value) = (columns.starts[index], columns.durations[index], columns.values[index])
                guard value > 0, value <= CumulativeMerge.largestValue, length <= longest, start < now.milliseconds
                else {
                    continue
                }
                // An instantaneous sample is inside a session that ends a millisecond later, but not inside one that
                // ends at the same instant.
                spans.append((start, min(start + max(1, length), now.milliseconds)))
            }
        }
        for span in spans.sorted(by: { $0.start < $1.start }) { coverage.append(span.start, span.end) }
    }

    /// Returns the first instant at or after `instant` at which steps were taken; `nil` if none exists.
    package func first(from instant: Instant) -> Instant? {
        let index = coverage.first(endingAfter: instant.milliseconds, from: 0)
        guard index < coverage.count else { return nil }
        return Instant(milliseconds: max(instant.milliseconds, coverage.starts[index]))
    }

    /// Returns the end of the last steps after `start` that are followed by `inactivity` milliseconds without steps;
    /// `nil` if there were no steps, or if less time has passed until `now`.
    package func inactive(from start: Instant, inactivity: Int64, now: Instant) -> Instant? {
        var index = coverage.first(endingAfter: start.milliseconds, from: 0)
        guard index < coverage.count else { return nil }
        while index + 1 < coverage.count, coverage.starts[index + 1] - coverage.ends[index] < inactivity { index += 1 }
        let end = coverage.ends[index]
        return now.milliseconds - end >= inactivity ? Instant(milliseconds: end) : nil
    }
}
