import Foundation

extension ShoeAction<ShoeSwitch> {
    /// Starts a session now with a shoe, or with the default one for `nil`, and ends the active session. An archived
    /// shoe or one that is already being worn is rejected.
    package static func start(_ id: Shoe.ID?) -> Self {
        Self { closet throws(SyncFailure) in
            guard let id = id ?? closet.shoes.first(where: \.isDefault)?.id else {
                throw SyncFailure(
                    .usage, subject: "SHOE", reason: "no shoe was named, and there is no default",
                    action: .chooseDefaultShoe)
            }
            let shoe = closet.shoes[try closet.wearableIndex(of: id)]
            try closet.checkClock()
            let before = closet.sessions.active
            guard before?.shoe != id else {
                throw SyncFailure(.usage, subject: shoe.name, reason: "is already being worn", action: .endSession)
            }
            closet.sessions.start(id, at: closet.now, newID: closet.newID)
            return ShoeSwitch(
                started: closet.sessions.active,
                stopped: before.flatMap { session in closet.sessions.all.first { $0.id == session.id } })
        }
    }

    /// Ends the active session now. No shoe starts automatically on the rest of the day.
    package static var stop: Self {
        Self { closet throws(SyncFailure) in
            try closet.checkClock()
            guard let active = closet.sessions.active else {
                throw SyncFailure(.usage, subject: "", reason: "no shoe is being worn", action: .startSession)
            }
            closet.sessions.stop(at: closet.now)
            closet.settled = [SettledHours(day: closet.today, start: closet.now)]
            return ShoeSwitch(stopped: closet.sessions.all.first { $0.id == active.id })
        }
    }

    /// Ends the session of the shoe if it is active, otherwise starts one. For `nil`, ends the active session or
    /// starts the default shoe.
    package static func toggle(_ id: Shoe.ID?) -> Self {
        Self { closet throws(SyncFailure) in
            let active = closet.sessions.active?.shoe
            return try (active != nil && (id ?? active) == active ? stop : start(id)).apply(&closet)
        }
    }
}

extension ShoeAction<HourAttribution> {
    /// Assigns hours of `day` (`8-11,17`, see `DayHours`) to a shoe, archived or not. Sessions of other shoes are
    /// truncated or split. Hours in the future are rejected; the current hour is assigned up to now.
    package static func assign(_ hours: String, on day: CalendarDay, to id: Shoe.ID) -> Self {
        Self { closet throws(SyncFailure) in
            _ = try closet.index(of: id)
            return try closet.attribute(hours, on: day) { sessions, range, newID in
                sessions.assign(range, to: id, newID: newID)
            }
        }
    }

    /// Removes hours of `day` from all sessions.
    package static func unassign(_ hours: String, on day: CalendarDay) -> Self {
        Self { closet throws(SyncFailure) in
            try closet.attribute(hours, on: day) { sessions, range, newID in sessions.clear(range, newID: newID) }
        }
    }
}

extension ShoeAction<SessionChange> {
    /// Restores the sessions that an earlier action replaced. Throws `.usage` if its sessions changed since, or if one of
    /// the shoes no longer exists.
    package static func undo(_ change: SessionChange) -> Self {
        Self { closet throws(SyncFailure) in
            for session in change.before { _ = try closet.index(of: session.shoe) }
            let now = Set(closet.sessions.all)
            guard change.after.allSatisfy(now.contains) else {
                throw SyncFailure(
                    .usage, subject: "undo", reason: "these hours changed since", advice: "assign them again")
            }
            let replaced = Set(change.after)
            closet.sessions = ShoeSessions(closet.sessions.all.filter { !replaced.contains($0) } + change.before)
            return SessionChange(from: ShoeSessions(change.after), to: ShoeSessions(change.before))
        }
    }
}

extension ShoeCloset {
    /// Applies `change` to the sessions, once for each interval of hours of `day`.
    fileprivate mutating func attribute(
        _ hours: String, on day: CalendarDay, _ change: (inout ShoeSessions, InstantRange, () -> UUID) -> Void
    ) throws(SyncFailure) -> HourAttribution {
        guard day >= ShoeDetails.earliestDay else {
            throw SyncFailure(
                .usage, subject: "day", reason: "\(day) is before \(ShoeDetails.earliestDay)",
                advice: "use the day on which the shoes were worn")
        }
        var ranges: [InstantRange] = []
        for range in try DayHours(of: day, clock: clock).ranges(of: hours) {
            guard range.start < now else {
                throw SyncFailure(
                    .usage, subject: "hours", reason: "some of these hours of \(day) have not begun",
                    advice: "use past hours or the current one")
            }
            ranges.append(InstantRange(start: range.start, end: min(range.end, now)))
        }
        let before = sessions
        for range in ranges { change(&sessions, range, newID) }
        settled = Set(ranges.map { SettledHours(day: day, start: $0.start) })
        return HourAttribution(
            ranges: ranges, taken: Self.taken(from: before, to: sessions, in: ranges),
            change: SessionChange(from: before, to: sessions))
    }

    private static func taken(
        from before: ShoeSessions, to after: ShoeSessions, in ranges: [InstantRange]
    ) -> [Shoe.ID: Int64] {
        var lost: [Shoe.ID: Int64] = [:]
        for range in ranges {
            for (sessions, sign) in [(before, Int64(1)), (after, Int64(-1))] {
                for session in sessions.all[sessions.indices(touching: range)] {
                    let shared = session.interval.intersection(range)?.milliseconds ?? 0
                    lost[session.shoe, default: 0] += sign * shared
                }
            }
        }
        return lost.filter { $0.value > 0 }
    }
}
