import HealthSyncDomain
import HealthSyncEngine
import HealthSyncPorts

/// The import of a file that the user sent with a form: what `healthsync import FILE --zone ZONE --save` does.
struct PageImport {
    let context: CommandContext
    let file: UploadedFile
    /// The zone that the user named; `nil` for none.
    let zone: String?
    /// Whether a first import is rejected if the data contradict `zone`, which the browser may have proposed.
    let isZoneChecked: Bool

    /// Returns the outcome, and whether the import was rejected because the data contradict the zone.
    func run() async -> (outcome: PageOutcome, isContradicted: Bool) {
        do {
            return (try await imported(), false)
        } catch let failure as SyncFailure {
            if case .chooseZone = failure.action { return (PageOutcome(forPages(failure)), true) }
            return (PageOutcome(forPages(failure)), false)
        } catch {
            return (PageOutcome(error), false)
        }
    }

    private func imported() async throws -> PageOutcome {
        var parsed = context.parsed
        parsed.values["source"] = [file.path]
        if let zone { parsed.values["zone"] = [zone] }
        let context = try CommandContext(environment: context.environment, parsed: parsed).quiet
        var settings = try await context.localSettings(derives: true)
        if zone != nil, isZoneChecked { settings.isZoneConfigured = false }
        try settings.requireSomethingToKeep()
        let found = try await context.sources(at: [file.path], settings)
        let report = try await context.withEngine(.writing, settings: settings) { [settings] engine in
            var options = Sync.Options()
            options.deadlineSeconds = DeliveryDeadline.standardSeconds
            options.userProfileID = try await UserProfile(environment: context.environment).id(settings)
            return try await engine.sync.run(.historical(from: nil, to: nil), sources: found.sources, options: options)
        }
        try await saveZone(context)
        return outcome(of: report)
    }

    /// Writes the zone to the configuration, so that the next run in another program counts the same days.
    private func saveZone(_ context: CommandContext) async throws {
        guard let zone else { return }
        let environment = context.environment
        guard let path = SettingsResolver.configurationPath(environment, context.parsed)?.path else { return }
        let file = try SettingsResolver(environment: environment, parsed: context.parsed).file
        guard file?[.zone] == nil else { return }
        try await SavedOptions.write([SavedOptions.Change(setting: .zone, value: zone)], to: path, environment)
    }

    private func outcome(of report: RunReport) -> PageOutcome {
        let reading = report.account.reading
        var lines = [
            reading.stored == 0 ? "nothing new in it" : "\(Figures.count(reading.stored, "new sample")) imported"
        ]
        if report.isInputIncomplete {
            lines.append("the file is truncated, and everything before that was imported; export it again")
        }
        if reading.rejected > 0 { lines.append("\(Figures.count(reading.rejected, "sample")) cannot be read") }
        if let days = report.days { lines.append("days from \(days.first) to \(days.last) are up to date") }
        lines += report.delivery.map { DeliveryView(report: $0).lines } ?? []
        lines += report.problems.map { forPages($0).description }
        return PageOutcome(lines, report.status)
    }

    /// Returns the failure in the words of a page, which names the file as the user knows it.
    private func forPages(_ failure: SyncFailure) -> SyncFailure {
        if case .chooseZone(let candidates) = failure.action {
            let reason = failure.reason.replacing(
                "no time zone is configured, and the system's zone", with: "the time zone")
            let again = zone.map { ", or \($0) again to use it anyway," } ?? ""
            return SyncFailure(
                failure.code, subject: "", reason: reason,
                advice: "nothing was imported; enter your time zone"
                    + SyncFailure.Action.suggestion(candidates) + again + " and import the file again")
        }
        let name = failure.subject == file.path ? "" : failure.subject.replacing(file.path, with: file.name)
        return SyncFailure(
            failure.code, subject: name, reason: failure.reason.replacing(file.path, with: file.name),
            advice: failure.advice.replacing(file.path, with: file.name))
    }
}
