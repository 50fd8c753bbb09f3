package import HealthSyncDomain
import HealthSyncPorts

extension SyncEngine {
    /// Deletes a shoe. What was walked in it becomes unattributed, and stays so: no other shoe starts by itself on the days
    /// of its sessions. One that is worn must be stopped first.
    package func deleteShoe(_ id: Shoe.ID) async throws -> ShoeDeletion {
        let shoe = try await shoe(id)
        let before = try await ports.shoes.sessions()
        guard before.active?.shoe != id else {
            throw SyncFailure(
                .usage, subject: shoe.name, reason: "is being worn", advice: "stop it first: `healthsync shoes stop`")
        }
        let removed = before.all.filter { $0.shoe == id }
        let after = ShoeSessions(before.all.filter { $0.shoe != id })
        var change = ShoeChange(from: before, to: after)
        change.removedShoes = [id]
        change.settled = Set(removed.flatMap(settledDays))
        try await store(change, leadingTo: after)
        return ShoeDeletion(shoe: shoe, sessions: removed)
    }

    /// The days that a session touches, as days on which no shoe starts by itself.
    private func settledDays(of session: ShoeSession) -> [SettledStretch] {
        let clock = settings.clock
        let range = session.interval(until: ports.time.now())
        let last = clock.day(of: max(range.start, range.end.advanced(byMilliseconds: -1)))
        let days = DayRange(clock.day(of: range.start), through: last)
        return (days ?? DayRange(last)).map { day in
            SettledStretch(day: day, start: max(range.start, clock.start(of: day)))
        }
    }
}
