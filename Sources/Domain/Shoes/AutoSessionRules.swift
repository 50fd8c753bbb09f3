package import Foundation

/// What shoes do by themselves: the day's first steps start the default shoe, and inactivity closes the active session.
///
/// What they lead to follows from what persons said, from the samples and from the time alone, not from when and how
/// often they ran before: starts and ends that they made are made anew. A person's start, end or attribution stays.
package struct AutoSessionRules: Sendable {
    private let clock: DayClock
    private let inactivity: Int64
    private let now: Instant
    /// The days on which sessions may start, and from the first of which on ends are made anew.
    private let days: DayRange

    /// Rules for `days`, with sessions that close after `inactivityHours` without steps.
    package init(clock: DayClock, inactivityHours: Int, days: DayRange, now: Instant) {
        self.clock = clock
        inactivity = Int64(inactivityHours) * 3_600_000
        self.days = days
        self.now = now
    }

    /// The instant from which on `sessions(after:…)` must know the steps.
    package func stepsNeeded(for sessions: ShoeSessions) -> Instant {
        let window = clock.start(of: days.first)
        return min(window, sessions.active?.start ?? window)
    }

    /// The sessions that follow from those `before`.
    ///
    /// - Parameters:
    ///   - defaultShoe: the shoe that starts by itself on the day it became the default and later; never an archived one.
    ///   - settled: of which hours of `days` a person said how shoes were worn.
    ///   - steps: when steps were taken, from `stepsNeeded(for:)` on.
    ///   - newID: gives the ids of new sessions.
    package func sessions(
        after before: ShoeSessions, defaultShoe: Shoe?, settled: Set<SettledStretch>, steps: StepStretches,
        newID: () -> UUID
    ) -> ShoeSessions {
        let settledDays = Set(settled.map(\.day))
        let bounds = settled.map(\.start)
        let sorted = Sorted(before, clock: clock, days: days, settledDays: settledDays)
        var result = sorted.fixed
        for session in sorted.open {
            let starts = (sorted.fixed + sorted.open).map(\.start)
            result.append(closed(session, before: starts + bounds, steps: steps))
        }
        for day in days where !settledDays.contains(day) {
            let made = sorted.made[day]
            guard let shoe = made?.shoe ?? self.shoe(defaultShoe, on: day),
                let start = firstSteps(of: day, beside: result, steps: steps)
            else { continue }
            let session = ShoeSession(id: made?.id ?? newID(), shoe: shoe, start: start, isAutoStarted: true)
            result.append(closed(session, before: result.map(\.start) + bounds, steps: steps))
        }
        return ShoeSessions(result)
    }

    /// Sessions by who may change them.
    private struct Sorted {
        /// Closed by a person, or before the days in question.
        var fixed: [ShoeSession] = []
        /// With an end that follows from the steps.
        var open: [ShoeSession] = []
        /// With a start and an end that follow from the steps, by day.
        var made: [CalendarDay: ShoeSession] = [:]

        init(_ sessions: ShoeSessions, clock: DayClock, days: DayRange, settledDays: Set<CalendarDay>) {
            for session in sessions.all {
                let day = clock.day(of: session.start)
                if session.isActive || (session.isAutoClosed && days.contains(day)) {
                    let isMade = session.isAutoStarted && days.contains(day) && !settledDays.contains(day)
                    if isMade, made[day] == nil {
                        made[day] = session
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

    /// The first steps of `day` at which no shoe is worn; `nil` when a session begins on the day or lasts over it.
    private func firstSteps(of day: CalendarDay, beside sessions: [ShoeSession], steps: StepStretches) -> Instant? {
        let whole = clock.interval(of: day)
        guard !sessions.contains(where: { whole.contains($0.start) }) else { return nil }
        let reaching = sessions.first { $0.interval.contains(whole.start) }
        let from = reaching?.interval.end ?? whole.start
        guard let first = steps.first(from: from), first < whole.end else { return nil }
        return first
    }

    /// `session` with the end that follows from the steps, and at the latest at the next of `bounds`.
    private func closed(_ session: ShoeSession, before bounds: [Instant], steps: StepStretches) -> ShoeSession {
        var session = session
        let next = bounds.lazy.filter { $0 > session.start }.min()
        let last = steps.inactive(from: session.start, inactivity: inactivity, now: now)
        session.end = [last, next].compactMap { $0 }.min()
        session.isAutoClosed = session.end != nil
        return session
    }
}
