package import HealthSyncDomain
import HealthSyncPorts

extension Shoes {
    /// Returns all shoes and sessions, with the totals of all shoes that were worn. Changes nothing.
    package func shoeCollection() async throws -> ShoeCollection {
        let shoes = try await ports.shoes.shoes()
        let sessions = try await ports.shoes.sessions()
        let now = ports.time.now()
        let days = try await AttributedDays(ports: ports, settings: settings, sessions: sessions, now: now).read()
        return ShoeCollection(
            shoes: shoes, sessions: sessions, totals: ShoeTotals.byShoe(sessions, days: days, now: now))
    }
}
