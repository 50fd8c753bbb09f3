import HealthSyncDomain
import HealthSyncPorts

/// Ensures that all stored days are counted by the same clock. A run that would count only some of them by another clock
/// is rejected before it changes anything. A run that finds days of several clocks covers all days.
struct DayCounting: Sendable {
    let ports: EnginePorts
    let settings: EngineSettings
    /// The days that the run may count by another clock; `nil` for all.
    let days: DayRange?

    /// The effect of a run on how days are counted.
    struct Plan: Sendable {
        /// The state to store before the first day is derived; `nil` if it is stored already.
        var mark: StoredDayZones?
        /// Whether the run covers all days, whatever the request.
        var coversAllDays = false
        /// Whether all days are counted by one clock once every day of the run is derived.
        var makesWhole = false
        /// The changes of zone rules since the stored days were derived.
        var rules = ZoneRulesChange()
    }

    private var zones: DayZones { DayZones(settings.clock) }

    /// Returns the plan of the run. Called before anything is read; changes nothing.
    ///
    /// - Throws: `.configuration` if days outside the run are counted by another clock.
    func plan() async throws -> Plan {
        let known = try await ports.tracking.storedDayZones()
        let rules = try await ZoneRulesChange(ports: ports, clock: settings.clock)
        if known == StoredDayZones(zones: zones, isWhole: true), !rules.movesDays { return Plan(rules: rules) }
        guard let recorded = try await ports.repository.recordedDays() else {
            return Plan(mark: StoredDayZones(zones: zones, isWhole: true), rules: rules)
        }
        let partial = StoredDayZones(zones: zones, isWhole: false)
        if let known, !known.isWhole {
            // It is not known which days are counted by which clock, so the run must cover all.
            return Plan(mark: known == partial ? nil : partial, coversAllDays: true, makesWhole: true, rules: rules)
        }
        let others = days.map { days in recorded.filter { !days.contains($0) } } ?? []
        guard try await isCounted(others, by: known) else { throw rejection(known) }
        return Plan(mark: partial, coversAllDays: rules.movesDays, makesWhole: true, rules: rules)
    }

    /// Stores the state of `plan`. Called after the import and before the first day is derived: if the run is interrupted
    /// from then on, some days are counted by one clock and some by the other.
    func begin(_ plan: Plan) async throws {
        if plan.rules.movesDays {
            ports.log.note(
                "deriving all days again, because time zone rules changed", level: .info)
            _ = try await ports.tracking.resetTracking(of: nil, days: nil)
        } else if plan.coversAllDays, days != nil {
            ports.log.note(
                "checking all days, because an earlier run did not count all of them by \(zones.name)",
                level: .info)
        }
        if let mark = plan.mark { try await ports.tracking.setStoredDayZones(mark) }
        // Last, so that an interrupted run finds the same change again.
        if !plan.rules.new.isEmpty { try await ports.tracking.setZoneRules(plan.rules.new) }
    }

    /// Marks all days as counted by one clock if the run achieved that. Called after the last day was derived.
    func finish(_ plan: Plan, after report: SyncReport) async throws {
        let hasFailed = report.outcomes.values.contains { if case .failed = $0 { true } else { false } }
        guard plan.makesWhole, !hasFailed else { return }
        // Days of a metric without a handler would never be derived again, so their state would never end.
        if settings.handlerForStoredMetric == nil, try await !isWhole() { return }
        try await ports.tracking.setStoredDayZones(StoredDayZones(zones: zones, isWhole: true))
    }

    /// Returns the settings for `plan`. If it counts all days by one clock, recorded metrics that are not selected are
    /// derived too.
    func settings(for plan: Plan) async throws -> EngineSettings {
        guard plan.makesWhole, let handler = settings.handlerForStoredMetric else { return settings }
        var widened = settings
        for metric in try await ports.repository.recordedMetrics()
        where !widened.handlers.contains(where: { $0.metric == metric }) {
            if let former = handler(metric) { widened.handlers.append(former) }
        }
        return widened
    }

    /// Returns whether the run's clock counts `others` as they were counted.
    private func isCounted(_ others: [CalendarDay], by known: StoredDayZones?) async throws -> Bool {
        guard let first = others.first, let last = others.last, let range = DayRange(first, through: last) else {
            return true
        }
        if let known {
            guard let clock = known.zones.clock(ports.time.zoneRules) else { return false }
            return others.allSatisfy { clock.agrees(with: settings.clock, on: $0) }
        }
        // Older versions did not store the clock, but stored the first instant of every day.
        let figures = try await ports.repository.dailyFigures(of: nil, days: range)
        return figures.allSatisfy { (days?.contains($0.day) ?? false) || isCounted($0) }
    }

    /// Returns whether all days are counted by the run's clock, those of metrics that the run did not derive included.
    private func isWhole() async throws -> Bool {
        guard let recorded = try await ports.repository.recordedDays() else { return true }
        let hasSleep = try await ports.repository.recordedMetrics().contains(.sleep)
        if hasSleep, !settings.handlers.contains(where: { $0.metric == .sleep }) { return false }
        return try await ports.repository.dailyFigures(of: nil, days: recorded).allSatisfy(isCounted)
    }

    private func isCounted(_ figures: DailyProgress) -> Bool { figures.start == settings.clock.start(of: figures.day) }

    private func rejection(_ known: StoredDayZones?) -> SyncFailure {
        let asked = zones
        let reason =
            known.map { $0.zones }.map {
                "the stored days are counted by \($0.name(beside: asked)), not by \(asked.name(beside: $0))"
            }
            ?? "stored days are counted by another zone than \(asked.name)"
        return SyncFailure(
            .configuration, subject: "zone", reason: reason,
            advice: (known.map { Self.keeping($0.zones, insteadOf: asked) } ?? "")
                + "recompute all days with `healthsync historical --zone \(asked.home) --save`")
    }

    /// Returns the advice that keeps the days as they are. It is the first one: a user who chose another zone for one run
    /// did not change the configuration.
    private static func keeping(_ known: DayZones, insteadOf asked: DayZones) -> String {
        var ways: [String] = []
        if known.home != asked.home { ways.append("`healthsync historical --zone \(known.home) --save`") }
        if known.stays != asked.stays { ways.append("the \"timeZones\" that the configuration had before") }
        return ways.isEmpty ? "" : "keep them as they are with \(ways.joined(separator: " and ")), or "
    }
}
