import Foundation

/// An action of the user on shoes, as a function of the shoes and sessions.
package struct ShoeAction<Result: Sendable>: Sendable {
    /// Applies the action.
    ///
    /// - Throws: `SyncFailure` with `.usage` for an invalid action, and with `.noInput` for a shoe that does not exist.
    package let apply: @Sendable (inout ShoeCloset) throws(SyncFailure) -> Result
}

extension ShoeAction<Shoe> {
    /// Adds a shoe to the collection. If `isDefault`, it replaces the current default shoe.
    package static func add(_ details: ShoeDetails, isDefault: Bool) -> Self {
        Self { closet throws(SyncFailure) in
            var shoe = Shoe(
                id: closet.newID(), details: try details.checked(today: closet.today), addedAt: closet.now)
            if isDefault {
                closet.clearDefault()
                shoe.defaultSince = closet.now
            }
            closet.shoes.append(shoe)
            return shoe
        }
    }

    /// Replaces the details of a shoe.
    package static func edit(_ id: Shoe.ID, _ details: ShoeDetails) -> Self {
        Self { closet throws(SyncFailure) in
            let index = try closet.index(of: id)
            closet.shoes[index].details = try details.checked(today: closet.today)
            return closet.shoes[index]
        }
    }

    /// Archives a shoe. It keeps its sessions and totals, but can be neither started nor the default. A shoe that is
    /// being worn is rejected. Idempotent.
    package static func archive(_ id: Shoe.ID) -> Self {
        Self { closet throws(SyncFailure) in
            let index = try closet.unwornIndex(of: id)
            if !closet.shoes[index].isArchived {
                closet.shoes[index].archivedAt = closet.now
                closet.shoes[index].defaultSince = nil
            }
            return closet.shoes[index]
        }
    }

    /// Restores an archived shoe. Idempotent.
    package static func unarchive(_ id: Shoe.ID) -> Self {
        Self { closet throws(SyncFailure) in
            let index = try closet.index(of: id)
            closet.shoes[index].archivedAt = nil
            return closet.shoes[index]
        }
    }
}

extension ShoeAction<Shoe?> {
    /// Makes a shoe the default from today on; `nil` for none. An archived shoe cannot be the default.
    package static func setDefault(_ id: Shoe.ID?) -> Self {
        Self { closet throws(SyncFailure) in
            guard let id else {
                closet.clearDefault()
                return nil
            }
            let index = try closet.wearableIndex(of: id)
            let since = closet.shoes[index].defaultSince ?? closet.now
            closet.clearDefault()
            closet.shoes[index].defaultSince = since
            return closet.shoes[index]
        }
    }
}

extension ShoeAction<ShoeDeletion> {
    /// Deletes a shoe. Its figures become unattributed and stay so: no other shoe starts automatically on the days of
    /// its sessions. A shoe that is being worn is rejected.
    package static func delete(_ id: Shoe.ID) -> Self {
        Self { closet throws(SyncFailure) in
            let shoe = closet.shoes.remove(at: try closet.unwornIndex(of: id))
            let removed = closet.sessions.all.filter { $0.shoe == id }
            closet.sessions = ShoeSessions(closet.sessions.all.filter { $0.shoe != id })
            for session in removed { closet.settle(session) }
            return ShoeDeletion(shoe: shoe, sessions: removed)
        }
    }
}

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
    /// Settles the days of a session, so that no shoe starts automatically on them.
    fileprivate mutating func settle(_ session: ShoeSession) {
        let range = session.interval(until: now)
        let last = clock.day(of: max(range.start, range.end.advanced(byMilliseconds: -1)))
        for day in DayRange(clock.day(of: range.start), through: last) ?? DayRange(last) {
            settled.insert(SettledHours(day: day, start: max(range.start, clock.start(of: day))))
        }
    }

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

/// The result of starting or ending a session.
package struct ShoeSwitch: Sendable, Hashable {
    /// The session that began; `nil` if none did.
    package var started: ShoeSession?
    /// The session that ended; `nil` if none did.
    package var stopped: ShoeSession?

    package init(started: ShoeSession? = nil, stopped: ShoeSession? = nil) {
        self.started = started
        self.stopped = stopped
    }
}

/// A shoe that was deleted.
package struct ShoeDeletion: Sendable, Hashable {
    package var shoe: Shoe
    /// The sessions deleted with it.
    package var sessions: [ShoeSession]

    package init(shoe: Shoe, sessions: [ShoeSession]) {
        self.shoe = shoe
        self.sessions = sessions
    }
}

/// The result of assigning hours to a shoe, or of clearing them.
package struct HourAttribution: Sendable, Hashable {
    /// The intervals that were assigned or cleared, ascending.
    package var ranges: [InstantRange]
    /// The milliseconds taken from each shoe within them.
    package var taken: [Shoe.ID: Int64]
    /// What changed, to undo it.
    package var change: SessionChange

    package init(ranges: [InstantRange], taken: [Shoe.ID: Int64], change: SessionChange = SessionChange()) {
        self.ranges = ranges
        self.taken = taken
        self.change = change
    }
}

/// The sessions that an action replaced, and those that replaced them.
package struct SessionChange: Sendable, Hashable {
    package var before: [ShoeSession] = []
    package var after: [ShoeSession] = []

    package init() {}

    package init(from before: ShoeSessions, to after: ShoeSessions) {
        let (old, new) = (Set(before.all), Set(after.all))
        self.before = before.all.filter { !new.contains($0) }
        self.after = after.all.filter { !old.contains($0) }
    }
}
