import HealthSyncDomain
import HealthSyncPorts

/// Sees to it that all stored days are counted by the same clock: a run that would count only some of them by another
/// one is refused before it changes anything.
struct DayCounting: Sendable {
    let ports: EnginePorts
    let settings: EngineSettings
    /// The days that the run derives; `nil` for all.
    let days: DayRange?

    private var zones: DayZones { DayZones(settings.clock) }

    /// The days that a run covers whatever there is; `nil` for all.
    static func days(of coverage: SyncEngine.Coverage, today: CalendarDay) -> DayRange? {
        switch coverage {
        case .daily(let lookBackDays): DayRange(today).widened(before: max(0, lookBackDays), after: 0)
        case .historical(nil, nil): nil
        case .historical(let from, let to):
            DayRange(from ?? CalendarDay(ordinal: -1_000_000), through: to ?? CalendarDay(ordinal: 3_000_000))
                ?? DayRange(from ?? today)
        }
    }

    /// To be called before a day is derived. Returns whether `finish` is to be called when all are.
    ///
    /// Throws `SyncFailure` with `.configuration` when days that the run leaves alone are counted by another clock.
    func begin() async throws -> Bool {
        let known = try await ports.tracking.countedDays()
        if known == CountedDays(zones: zones, isWhole: true) { return false }
        guard let recorded = try await ports.repository.recordedDays() else {
            try await ports.tracking.setCountedDays(CountedDays(zones: zones, isWhole: true))
            return false
        }
        let others = days.map { days in recorded.filter { !days.contains($0) } } ?? []
        if known?.zones != zones, try await !isCounted(others, by: known) { throw refusal(known) }
        if known?.zones == zones, !others.isEmpty { return false }
        // Before the first day is derived: a run that is cut off leaves some days counted by the one, some by the other.
        try await ports.tracking.setCountedDays(CountedDays(zones: zones, isWhole: false))
        return others.isEmpty || known?.isWhole ?? true
    }

    /// To be called when every day of the run was derived, with what came of it.
    func finish(after report: SyncReport) async throws {
        let hasFailed = report.outcomes.values.contains { if case .gaveUp = $0 { true } else { false } }
        guard !hasFailed, try await isWhole() else { return }
        try await ports.tracking.setCountedDays(CountedDays(zones: zones, isWhole: true))
    }

    /// Whether the run's clock counts `others` just as they were counted.
    private func isCounted(_ others: [CalendarDay], by known: CountedDays?) async throws -> Bool {
        guard let first = others.first, let last = others.last, let range = DayRange(first, through: last) else {
            return true
        }
        if let known {
            guard let clock = known.zones.clock else { return false }
            return others.allSatisfy { clock.agrees(with: settings.clock, on: $0) }
        }
        // A version that did not remember it has left the first instant of every day.
        let figures = try await ports.repository.dailyFigures(of: nil, days: range)
        return figures.allSatisfy { (days?.contains($0.day) ?? false) || isCounted($0) }
    }

    /// A metric that the run did not derive may still be counted as before.
    private func isWhole() async throws -> Bool {
        guard let recorded = try await ports.repository.recordedDays() else { return true }
        let hasSleep = try await ports.repository.recordedMetrics().contains(.sleep)
        if hasSleep, !settings.handlers.contains(where: { $0.metric == .sleep }) { return false }
        return try await ports.repository.dailyFigures(of: nil, days: recorded).allSatisfy(isCounted)
    }

    private func isCounted(_ figures: DailyProgress) -> Bool { figures.start == settings.clock.start(of: figures.day) }

    private func refusal(_ known: CountedDays?) -> SyncFailure {
        let asked = zones
        let reason =
            known.map { "the stored days are counted by \($0.zones.name), not by \(asked.name)" }
            ?? "stored days are counted by another zone than \(asked.name)"
        let goOn = known.map { "; or go on as before with --zone \($0.zones.home)" } ?? ""
        return SyncFailure(
            .configuration, subject: "zone", reason: reason,
            advice: "count all days anew with `healthsync historical --zone \(asked.home)`\(goOn)")
    }
}
