package import HealthSyncDomain
import HealthSyncPorts

extension SyncEngine {
    /// All shoes, with totals of all of them or, where `only` is given, of that one. Changes nothing.
    package func shoeCollection(only: Shoe.ID? = nil) async throws -> ShoeCollection {
        let shoes = try await ports.shoes.shoes()
        let sessions = try await ports.shoes.sessions()
        let counted = ShoeSessions(sessions.all.filter { only == nil || $0.shoe == only })
        let now = ports.time.now()
        var hours: [AttributedHour] = []
        if let days = days(of: counted, now: now) {
            hours = try await AttributedHours(ports: ports, settings: settings, sessions: counted).read(days).hours
        }
        return ShoeCollection(
            shoes: shoes, sessions: sessions, totals: ShoeTotals.byShoe(counted, hours: hours, now: now))
    }

    /// Every day on which something within the sessions may count. A sample that states a zone of its own counts on a day
    /// of that zone, so one more on either side.
    private func days(of sessions: ShoeSessions, now: Instant) -> DayRange? {
        guard let first = sessions.all.first, let last = sessions.all.last else { return nil }
        let clock = settings.clock
        let end = max(clock.day(of: last.end ?? now), clock.day(of: first.start))
        return DayRange(clock.day(of: first.start), through: end)?.widened(before: 1, after: 1)
    }
}
