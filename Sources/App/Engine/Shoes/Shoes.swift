import Foundation
package import HealthSyncDomain
import HealthSyncPorts

/// The shoes of the user.
package struct Shoes: ShoeReader, ShoeActions {
    let ports: EnginePorts
    let settings: EngineSettings

    package func run<Result: Sendable>(_ action: ShoeAction<Result>) async throws -> Result {
        let before = ShoeCloset(
            shoes: try await all(), sessions: try await sessions(), now: ports.time.now(), clock: settings.clock,
            newID: newID)
        var after = before
        let result = try action.apply(&after)
        try await store(ShoeChange(from: before, to: after), leadingTo: after.sessions)
        return result
    }

    /// Returns all shoes, including archived ones.
    package func all() async throws -> [Shoe] { try await ports.shoes.shoes() }

    /// Returns all sessions.
    package func sessions() async throws -> ShoeSessions { try await ports.shoes.sessions() }

    /// Returns all shoes and sessions, with the totals of all shoes that were worn. Changes nothing.
    package func shoeCollection() async throws -> ShoeCollection {
        let shoes = try await ports.shoes.shoes()
        let sessions = try await ports.shoes.sessions()
        let now = ports.time.now()
        let days = try await AttributedDays(ports: ports, settings: settings, sessions: sessions, now: now).read()
        return ShoeCollection(
            shoes: shoes, sessions: sessions, totals: ShoeTotals.byShoe(sessions, days: days, now: now),
            months: ShoeCollection.months(of: days))
    }

    /// Returns the figures on `days` of the shoes worn then. Changes nothing.
    package func worn(on days: DayRange) async throws -> [(shoe: Shoe, figures: WalkFigures)] {
        let sessions = try await ports.shoes.sessions()
        let attributed = AttributedDays(ports: ports, settings: settings, sessions: sessions, now: ports.time.now())
        var figures: [Shoe.ID: WalkFigures] = [:]
        for day in try await attributed.read() where days.contains(day.day) {
            for (shoe, own) in day.figures { figures[shoe, default: WalkFigures()].add(own) }
        }
        return try await ports.shoes.shoes().compactMap { shoe in figures[shoe.id].map { (shoe, $0) } }
    }

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

    /// Returns a new id.
    private func newID() -> UUID { UUID(version4: ports.random.bytes(16)) }

    /// Stores the changes of an action that leads to the sessions `after`, and caches the affected days. If caching
    /// fails, the action succeeds anyway: days that are not cached are computed when they are read.
    func store(_ change: ShoeChange, leadingTo after: ShoeSessions) async throws {
        guard !change.isEmpty else { return }
        try await ports.shoes.commit(change)
        do { try await cacheAttributedDays(of: after) } catch {
            ports.log.note("shoes: the totals could not be cached", level: .debug)
        }
    }

    /// Caches the days of `sessions` that are not cached yet.
    func cacheAttributedDays(of sessions: ShoeSessions) async throws {
        let now = ports.time.now()
        try await AttributedDays(ports: ports, settings: settings, sessions: sessions, now: now).fillCache()
    }

    /// Updates the automatic sessions (`AutoSessionRules`) of today and `lookBackDays` days before it from the stored
    /// samples. Idempotent.
    package func check(lookBackDays: Int?) async throws -> ShoeCheckReport {
        let shoes = try await ports.shoes.shoes()
        guard !shoes.isEmpty else { return ShoeCheckReport() }
        let before = try await ports.shoes.sessions()
        let now = ports.time.now()
        let days = settings.recentDays(lookBackDays, at: now)
        let rules = AutoSessionRules(
            clock: settings.clock, inactivityHours: settings.shoeInactivityHours, days: days, now: now)
        let after = rules.sessions(
            after: before, defaultShoe: shoes.first(where: \.isDefault),
            settled: try await ports.shoes.settled(on: days),
            steps: try await steps(from: rules.stepsNeeded(for: before), until: now), newID: newID)
        let change = ShoeChange(from: before, to: after)
        try await store(change, leadingTo: after)
        return ShoeCheckReport(from: before, to: after)
    }

    private func steps(from start: Instant, until now: Instant) async throws -> StepIntervals {
        let window = WindowLoader(
            pages: ports.pages, clock: settings.clock, types: [SampleTypeDefinition.stepCount.type], reach: .days)
        let margin = try await window.marginDays()
        let first = CalendarDay(utcDayOf: start)
        let days = DayRange(first, through: max(first, CalendarDay(utcDayOf: now))) ?? DayRange(first)
        let samples = try await window.samples(on: days.widened(before: margin.before, after: 0))
        return StepIntervals(of: samples[SampleTypeDefinition.stepCount.type] ?? [], until: now)
    }
}
