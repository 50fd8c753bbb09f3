import HealthSyncDomain
import HealthSyncPorts

/// Sees to it that all stored days are counted by the same clock: a run that would count only some of them by another
/// one is refused before it changes anything, and one that finds days of several clocks covers all days.
struct DayCounting: Sendable {
    let ports: EnginePorts
    let settings: EngineSettings
    /// The days that the run may recount by another clock; `nil` for all.
    let days: DayRange?

    /// What a run does about how days are counted.
    struct Plan: Sendable {
        /// What is remembered before the first day is derived; `nil` where it is remembered already.
        var mark: CountedDays?
        /// Whether the run covers all days, whatever it was asked for.
        var coversAllDays = false
        /// Whether all days are counted by one clock when every day of the run is derived.
        var makesWhole = false
        /// What changed in the rules of zones since the stored days were derived.
        var rules = ZoneRulesChange()
    }

    private var zones: DayZones { DayZones(settings.clock) }

    /// The days that a run may recount by another clock; `nil` for all.
    static func days(of coverage: SyncEngine.Coverage, today: CalendarDay) -> DayRange? {
        switch coverage {
        // A run without a bound derives all days, and yet no zone of the moment is to recount years by itself.
        case .daily(let lookBackDays):
            DayRange(today).widened(before: max(0, lookBackDays ?? SyncEngine.usualLookBackDays), after: 0)
        case .historical(nil, nil): nil
        case .historical(let from, let to):
            DayRange(from ?? CalendarDay(ordinal: -1_000_000), through: to ?? CalendarDay(ordinal: 3_000_000))
                ?? DayRange(from ?? today)
        }
    }

    /// To be asked before anything is read; changes nothing.
    ///
    /// Throws `SyncFailure` with `.configuration` when days that the run leaves alone are counted by another clock.
    func plan() async throws -> Plan {
        let known = try await ports.tracking.countedDays()
        let rules = try await ZoneRulesChange(ports: ports, clock: settings.clock)
        if known == CountedDays(zones: zones, isWhole: true), !rules.movesDays { return Plan(rules: rules) }
        guard let recorded = try await ports.repository.recordedDays() else {
            return Plan(mark: CountedDays(zones: zones, isWhole: true), rules: rules)
        }
        let anew = CountedDays(zones: zones, isWhole: false)
        if let known, !known.isWhole {
            // Which days are counted by which clock nobody knows: none may be left alone.
            return Plan(mark: known == anew ? nil : anew, coversAllDays: true, makesWhole: true, rules: rules)
        }
        let others = days.map { days in recorded.filter { !days.contains($0) } } ?? []
        guard try await isCounted(others, by: known) else { throw refusal(known) }
        return Plan(mark: anew, coversAllDays: rules.movesDays, makesWhole: true, rules: rules)
    }

    /// To be called when everything was read and before the first day is derived: a run that is cut off from then on
    /// leaves some days counted by the one, some by the other clock.
    func begin(_ plan: Plan) async throws {
        if plan.rules.movesDays {
            ports.log.note(
                "all days are derived again, because the rules of time zones changed", isDetail: false)
            _ = try await ports.tracking.resetTracking(of: nil, days: nil)
        } else if plan.coversAllDays, days != nil {
            ports.log.note(
                "all days are looked at, because a run before did not count all of them by \(zones.name)",
                isDetail: false)
        }
        if let mark = plan.mark { try await ports.tracking.setCountedDays(mark) }
        // Only now: a run that is cut off before finds the same change again.
        if !plan.rules.new.isEmpty { try await ports.tracking.setZoneRules(plan.rules.new) }
    }

    /// To be called when every day of the run was derived, with what came of it.
    func finish(_ plan: Plan, after report: SyncReport) async throws {
        let hasFailed = report.outcomes.values.contains { if case .gaveUp = $0 { true } else { false } }
        guard plan.makesWhole, !hasFailed else { return }
        // What no handler derives stays as it is for good; nothing would ever end it.
        if settings.handlerOfRecorded == nil, try await !isWhole() { return }
        try await ports.tracking.setCountedDays(CountedDays(zones: zones, isWhole: true))
    }

    /// The settings of a run by `plan`: where it counts all days by one clock, recorded metrics that are not among today's are
    /// derived too.
    func settings(for plan: Plan) async throws -> EngineSettings {
        guard plan.makesWhole, let handler = settings.handlerOfRecorded else { return settings }
        var widened = settings
        for metric in try await ports.repository.recordedMetrics()
        where !widened.handlers.contains(where: { $0.metric == metric }) {
            if let former = handler(metric) { widened.handlers.append(former) }
        }
        return widened
    }

    /// Whether the run's clock counts `others` just as they were counted.
    private func isCounted(_ others: [CalendarDay], by known: CountedDays?) async throws -> Bool {
        guard let first = others.first, let last = others.last, let range = DayRange(first, through: last) else {
            return true
        }
        if let known {
            guard let clock = known.zones.clock(ports.time.zoneRules) else { return false }
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
        return SyncFailure(
            .configuration, subject: "zone", reason: reason,
            advice: "count all days anew with `healthsync historical --zone \(asked.home)`"
                + (known.map { Self.goingOn(by: $0.zones, asked) } ?? ""))
    }

    /// How the days may stay as they are.
    private static func goingOn(by known: DayZones, _ asked: DayZones) -> String {
        var ways: [String] = []
        if known.home != asked.home { ways.append("--zone \(known.home)") }
        if known.stays != asked.stays { ways.append("the \"timeZones\" that the configuration had before") }
        return ways.isEmpty ? "" : "; or go on as before with " + ways.joined(separator: " and ")
    }
}
