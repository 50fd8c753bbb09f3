package import HealthSyncDomain
import HealthSyncPorts

extension Shoes {
    /// Deletes a shoe. Its figures become unattributed and stay so: no other shoe starts automatically on the days of
    /// its sessions. A shoe that is being worn is rejected.
    package func deleteShoe(_ id: Shoe.ID) async throws -> ShoeDeletion {
        let shoe = try await shoe(id)
        let before = try await ports.shoes.sessions()
        guard before.active?.shoe != id else {
            throw SyncFailure(
                .usage, subject: shoe.name, reason: "is being worn",
                advice: "end it with `healthsync shoes stop` first")
        }
        let removed = before.all.filter { $0.shoe == id }
        let after = ShoeSessions(before.all.filter { $0.shoe != id })
        var change = ShoeChange(from: before, to: after)
        change.removedShoes = [id]
        change.settled = Set(removed.flatMap(settledDays))
        try await store(change, leadingTo: after)
        return ShoeDeletion(shoe: shoe, sessions: removed)
    }

    /// Returns the days of a session as settled hours, so that no shoe starts automatically on them.
    private func settledDays(of session: ShoeSession) -> [SettledHours] {
        let clock = settings.clock
        let range = session.interval(until: ports.time.now())
        let last = clock.day(of: max(range.start, range.end.advanced(byMilliseconds: -1)))
        let days = DayRange(clock.day(of: range.start), through: last)
        return (days ?? DayRange(last)).map { day in
            SettledHours(day: day, start: max(range.start, clock.start(of: day)))
        }
    }
}
