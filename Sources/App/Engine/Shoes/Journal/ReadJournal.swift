package import HealthSyncDomain
import HealthSyncPorts

extension Shoes {
    /// Returns a day by hour with steps, distance and the shoes worn. Changes nothing.
    package func journal(of day: CalendarDay) async throws -> (journal: ShoeJournal, shoes: [Shoe]) {
        let sessions = try await ports.shoes.sessions()
        let found = try await AttributedHours(ports: ports, settings: settings, sessions: sessions).read(DayRange(day))
        let journal = ShoeJournal(
            of: day, clock: settings.clock, sessions: sessions, progress: found.progress,
            hours: found.hours[day] ?? [],
            now: ports.time.now())
        return (journal, try await ports.shoes.shoes())
    }
}
