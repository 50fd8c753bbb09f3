import HealthSyncDomain
import HealthSyncEngine
import HealthSyncPorts

/// The imports, runs and deliveries that the user starts on the pages of a dashboard. They take the run lock as commands do, and
/// continue while the pages are shown.
actor PageRuns: DeliveryActions, ImportActions {
    private let context: CommandContext
    /// Called after each action, which may have changed the zone of the days.
    private let ended: @Sendable () -> Void
    private var latest: StartedAction?
    private var latestImport: StartedImport?
    /// The zone that the last import named although the data contradict it. Named again, it is the user's decision.
    private var contradictedZone: String?
    private var isAtWork = false
    private var task: Task<Void, Never>?

    init(context: CommandContext, ended: @escaping @Sendable () -> Void) {
        self.context = context
        self.ended = ended
    }

    func last() -> StartedAction? { latest }

    func lastImport() -> StartedImport? { latestImport }

    func assumedZone() async -> String? {
        guard let settings = try? await context.settings(), !settings.isZoneConfigured else { return nil }
        let choice = try? await context.zoneChoice(settings)
        return choice == nil ? settings.clock.home.identifier : nil
    }

    private func begin() throws(SyncFailure) {
        guard !isAtWork else {
            throw SyncFailure(
                .busy, subject: "pages", reason: "an action started here is still in progress",
                advice: "wait until it has finished")
        }
        isAtWork = true
    }

    private func requireZone(named name: String) throws(SyncFailure) {
        do { _ = try context.environment.time.zoneRules(named: name) } catch {
            throw .usage("zone", "unknown time zone \"\(name.shortened(to: 40))\"", advice: error.advice)
        }
    }

    func importFile(_ file: UploadedFile, zone: String?, ended: @escaping @Sendable () -> Void) throws {
        do {
            if let zone { try requireZone(named: zone) }
            try begin()
        } catch {
            ended()
            throw error
        }
        latestImport = StartedImport(file: file.name, at: context.environment.time.now())
        task = Task {
            let (outcome, isContradicted) = await PageImport(
                context: context, file: file, zone: zone, isZoneChecked: zone != contradictedZone
            ).run()
            contradictedZone = isContradicted ? zone : nil
            ended()
            latestImport?.outcome = outcome.text
            latestImport?.isGood = outcome.isGood
            latestImport?.at = context.environment.time.now()
            isAtWork = false
            self.ended()
        }
    }

    func start(_ action: DeliveryAction) async throws {
        try begin()
        latest = StartedAction(action, at: context.environment.time.now())
        do {
            let settings = try await context.localSettings(derives: action == .sync)
            if let outcome = try await atOnce(action, settings) { return finish(outcome) }
            task = Task { finish(await work(action, settings)) }
        } catch {
            finish(PageOutcome(error))
        }
    }

    /// Cancels the action in progress and waits for its end.
    func stop() async {
        task?.cancel()
        await task?.value
    }

    private func finish(_ outcome: PageOutcome) {
        latest?.outcome = outcome.text
        latest?.isGood = outcome.isGood
        latest?.at = context.environment.time.now()
        isAtWork = false
        ended()
    }

    /// Performs what must be complete before the response. Returns `nil` if the action continues afterwards.
    private nonisolated func atOnce(_ action: DeliveryAction, _ settings: Settings) async throws -> PageOutcome? {
        switch action {
        case .pause:
            try context.environment.factory.deliveryPause(settings).set()
            return PageOutcome(["delivery is paused"], .done)
        case .resume:
            _ = try context.environment.factory.deliveryPause(settings).clear()
            return settings.server == nil ? PageOutcome(["delivery is no longer paused"], .done) : nil
        case .clearIntervals, .clearServer:
            try context.requireDatabase(of: settings)
            let isServer = action == .clearServer
            if isServer, settings.server == nil { throw SyncFailure.noServer }
            let count = try await context.withEngine(.writing, settings: settings) { engine in
                try await engine.clearIntervals.run(onServer: isServer)
            }
            let server = isServer ? ["all steps on \(settings.server?.url ?? "") deleted"] : []
            return PageOutcome(["\(Figures.count(count, "interval")) deleted"] + server, .done)
        case .sync, .send, .verify: return nil
        }
    }

    private nonisolated func work(_ action: DeliveryAction, _ settings: Settings) async -> PageOutcome {
        do {
            try context.requireDatabase(of: settings)
            switch action {
            case .sync: return try await sync(settings)
            case .verify:
                let report = try await VerificationRun(context, settings, isComplete: true)
                    .run(types: VerificationRun.sentTypes)
                let view = VerificationView(report: report, clock: settings.clock)
                return PageOutcome(Array(view.lines.prefix(1)), view.status)
            default: return try await send(settings, as: action == .resume ? .resume : .push)
            }
        } catch {
            return PageOutcome(error)
        }
    }

    private nonisolated func send(_ settings: Settings, as command: RunCommand) async throws -> PageOutcome {
        guard settings.server != nil else { throw SyncFailure.noServer }
        let report = try await context.withEngine(.writing, settings: settings) { engine in
            try await engine.push.run(
                deadlineSeconds: DeliveryDeadline.standardSeconds, resuming: true, as: command)
        }
        guard let report = report?.delivery else { throw SyncFailure.noServer }
        let view = DeliveryView(report: report)
        return PageOutcome(view.lines, view.status)
    }

    private static let withoutSource =
        "no file was read, because none is configured; import one here, or name \"sources\" in the configuration"

    private nonisolated func sync(_ settings: Settings) async throws -> PageOutcome {
        try settings.requireSomethingToKeep()
        let intake = try await InboxIntake(context: context, settings: settings)?.run(
            pullingFrom: settings.inboxServer)
        let found = try await context.sources(at: settings.sources, settings)
        return try await context.withEngine(.writing, settings: settings) { engine in
            var options = Sync.Options()
            options.followsPosts = intake != nil || found.sources.isEmpty
            options.deadlineSeconds = DeliveryDeadline.standardSeconds
            options.userProfileID = try await UserProfile(environment: context.environment).id(settings)
            let report = try await engine.sync.run(
                .daily(lookBackDays: settings.lookBackDays), sources: found.sources, options: options)
            let delivery = report.delivery.map { DeliveryView(report: $0).lines } ?? []
            let status = ExitStatus.mostSevere([report.status, intake?.status ?? .done])
            let changed = report.sync.outcomes.isEmpty ? "nothing to derive" : "all changed days are derived"
            let unread = found.sources.isEmpty && intake == nil ? [Self.withoutSource] : []
            return PageOutcome([changed] + unread + delivery + report.problems.map(\.description), status)
        }
    }
}

/// The import of a file that the user sent with a form: what `healthsync import FILE --zone ZONE --save` does.
private struct PageImport {
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
            options.command = .imported
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
            lines.append("the file is incomplete, and what could be read was imported; export it again")
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

/// The result of an action of the pages in words.
private struct PageOutcome: Sendable {
    let text: String
    var isGood = true

    init(_ lines: [String], _ status: ExitStatus) {
        text = lines.map { $0.trimmingPrefix { $0 == " " } }.joined(separator: "; ")
        isGood = status == .done
    }

    init(_ error: any Error) {
        text = error is CancellationError ? "cancelled" : FailureText.of(error)
        isGood = false
    }
}
