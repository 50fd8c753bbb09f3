import HealthSyncDomain
import HealthSyncEngine
import HealthSyncPorts

extension DoctorChecks {
    /// Checks the days, the feeds and the delivery, as `status` reports them; nothing without a database.
    func stored(_ settings: Settings) async -> [CheckFinding] {
        do {
            guard try await environment.status(of: settings.databasePath) != nil else {
                return environment.factory.deliveryPause(settings).since().map { [Self.paused($0, settings.clock)] }
                    ?? []
            }
            var counted = settings
            if let choice = try await context.zoneChoice(settings) { counted.clock = choice.clock }
            let (report, rough, unknown, stated) = try await context.withEngine(.reading, settings: counted) {
                (
                    try await $0.status.run(), try await $0.status.daysWithoutNotations(),
                    try await $0.status.unknownPreferredNames(), try await $0.zones.statedStays()
                )
            }
            let home = settings.isZoneConfigured ? settings.clock.home : counted.clock.home
            let stays = stated.proposal(for: DayClock(home: home, residences: settings.clock.residences))
            return (stays.map { [Self.stays(ProposedStays(stays: $0))] } ?? []) + [Self.days(report)]
                + unknown.map(Self.unknownName)
                + [
                    Self.matching(rough), Self.unsentSamples(report), Self.delivery(report, counted.clock),
                    Self.omitted(report), Self.furtherMetrics(report),
                ].compactMap { $0 }
        } catch {
            return [Self.finding(error, subject: "database")]
        }
    }

    private static func stays(_ proposed: ProposedStays) -> CheckFinding {
        CheckFinding(
            .warning, "time zone", "the records state \(proposed.count) that the configuration does not contain",
            advice: "set in the configuration, if these stays are yours: \(proposed.member)")
    }

    private static func days(_ report: StatusReport) -> CheckFinding {
        guard let text = OutOfDateView(days: report.outOfDate).extent else {
            return CheckFinding(.ok, "days", "all up to date")
        }
        return CheckFinding(.warning, "days", text, advice: "run: \(OutOfDateView.command)")
    }

    private static func unknownName(_ name: String) -> CheckFinding {
        CheckFinding(
            .warning, "configuration", "originPriority contains \"\(name)\", which is the name of no stored source",
            advice: "copy the name from: healthsync steps DAY")
    }

    private static func matching(_ days: Int) -> CheckFinding? {
        guard days > 0 else { return nil }
        return CheckFinding(
            .warning, "matching",
            "\(CountText.of(days, "day")) of exports \(days == 1 ? "is" : "are") compared with a phone app without the"
                + " units of the export, which an earlier version did not store",
            advice: "run: healthsync historical --source EXPORT")
    }

    private static func unsentSamples(_ report: StatusReport) -> CheckFinding? {
        report.unsent.summary.map {
            CheckFinding(
                .warning, "feeds", $0,
                advice: "the export contains them; import exports regularly, or send these days again from the app")
        }
    }

    /// Returns the number of records that are not sent by default, which is no problem.
    private static func omitted(_ report: StatusReport) -> CheckFinding? {
        report.omitted.map { CheckFinding(.ok, "earlier days", FurtherMetricsText.of($0)) }
    }

    private static func furtherMetrics(_ report: StatusReport) -> CheckFinding? {
        report.hasFurtherMetrics ? CheckFinding(.ok, "metrics", FurtherMetricsText.notice) : nil
    }

    /// Returns a warning if the user paused delivery or must act; `nil` otherwise.
    private static func delivery(_ report: StatusReport, _ clock: DayClock) -> CheckFinding? {
        let isRejected = report.outbox[.dead, default: 0] > 0
        if let since = report.heldSince, !isRejected { return paused(since, clock) }
        let verdict = report.verdict(number: Figures.grouped) { Figures.wallClock($0, clock) }
        guard let verdict, verdict.tone == .bad else { return nil }
        let text = [verdict.statement, verdict.reason].compactMap { $0 }.joined(separator: ": ")
        let command = isRejected ? "outbox list" : verdict.at == nil ? "push" : "verify"
        return CheckFinding(.warning, "delivery", text, advice: "run: healthsync \(command)")
    }
}
