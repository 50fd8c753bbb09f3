package import HealthSyncDomain
import HealthSyncPorts

extension Shoes {
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
