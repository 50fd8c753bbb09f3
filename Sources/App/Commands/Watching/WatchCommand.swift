import HealthSyncDomain
import HealthSyncEngine
import HealthSyncPorts
import Synchronization

/// `healthsync watch`
enum WatchCommand: Command {
    static let declaration = CommandDeclaration(
        "watch", "Import posts of phones and changed files as they arrive",
        discussion: [
            "Runs until Ctrl-C or SIGTERM. Imports every source and every folder of --source when its files change, and "
                + "all of them once a day; derives the days that changed; and delivers records, with pauses while the "
                + "server is unreachable.",
            "With --listen receives what phone apps send. Each phone needs a token from `healthsync pair NAME`. A post is stored "
                + "before it is answered. A socket that systemd passes (LISTEN_FDS) is used instead of the address.",
            "With --pull fetches the posts that phones sent to a `healthsync serve`, as they arrive there.",
            "With --json prints one JSON object for each event. Other commands may run at the same time.",
        ],
        options: WatchOptions.declarations,
        examples: [
            "watch --source ~/Sync/health --dashboard", "watch --listen 0.0.0.0:8000 --lan",
            "watch --listen 127.0.0.1:8000 --json",
        ], uses: [.sources, .server])

    static func run(in context: CommandContext) async throws -> ExitStatus {
        let options = try WatchOptions(context.parsed)
        let settings = try await context.settings()
        try settings.requireSomethingToKeep()
        guard let factory = context.environment.factory.watching else {
            throw SyncFailure.usage("watch", "not available in this program", advice: "use `healthsync daily`")
        }
        if context.parsed.has("pull"), settings.inboxServer == nil {
            throw SyncFailure.usage("--pull", "no server is configured", advice: "write --pull https://HOST")
        }
        if options.inbox == nil, settings.sources.isEmpty, settings.inboxServer == nil {
            throw SyncFailure.usage(
                "watch", "there is nothing to watch",
                advice:
                    "name files or folders with --source, receive posts with --listen HOST:PORT, or fetch them with "
                    + "--pull URL")
        }
        let runs = WatchRuns(context: context, settings: settings, factory: factory)
        let reception = WatchReception(options, context.environment.factory.inbox)
        try await WatchProcess(context: context, options: options, runs: runs, reception: reception).run()
        return .done
    }
}

/// The options of `healthsync watch`.
struct WatchOptions {
    /// Where to receive posts; `nil` to receive none.
    var inbox: ListenAddress?
    var admitsLocalNetwork: Bool
    /// The port of the dashboard on 127.0.0.1; `nil` for no dashboard.
    fileprivate var dashboardPort: UInt16?
    var hour: DailyHour

    static let declarations: [OptionDeclaration] = [
        .value("listen", "HOST:PORT", "Receive posts of phones on this address", default: "none are received"),
        .flag("lan", "Admit phones with private addresses over plain HTTP"),
        .optionalValue(
            "dashboard", "HOST:PORT", "Show the dashboard too, on this machine only", default: "127.0.0.1:8765"),
        .optionalValue(
            "pull", "URL", "Fetch the posts of phones that wait on this server", default: "inbox.server, if configured"),
        .value("at", "HH:MM", "Import all sources at this time of day", default: "04:30"),
    ]

    init(_ parsed: ParsedCommand) throws(SyncFailure) {
        inbox = parsed.has("listen") ? try ListenAddress(parsed) : nil
        admitsLocalNetwork = parsed.has("lan")
        if admitsLocalNetwork, inbox == nil {
            throw .usage("--lan", "requires --listen", advice: "add --listen 0.0.0.0:8000")
        }
        hour = .standard
        if let text = parsed.text("at") {
            guard let stated = DailyHour(text) else {
                throw .usage("--at", "invalid time \"\(text)\"", advice: "write it as HH:MM, such as 04:30")
            }
            hour = stated
        }
        if let text = parsed.text("dashboard") {
            let address = try ListenAddress(text.isEmpty ? "127.0.0.1:8765" : text, option: "--dashboard")
            guard address.isLoopback else {
                throw .usage(
                    "--dashboard", "\(address.host) can be reached from other machines",
                    advice: "use 127.0.0.1, and a tunnel or a proxy with authentication for other machines")
            }
            dashboardPort = address.port
        }
    }
}

/// Whether and where a watch process receives posts, for its dashboard.
private final class WatchReception: Sendable {
    private let current: Mutex<InboxReception>

    init(_ options: WatchOptions, _ inbox: InboxFactory) {
        var reception = InboxReception(address: inbox.usualAddress, state: .none)
        if let listen = options.inbox {
            // Of the addresses of this machine, phones need the one in their network.
            let isAny = ["0.0.0.0", "::"].contains(listen.host)
            let host = isAny ? inbox.localAddress() ?? "127.0.0.1" : listen.host
            reception.address = InboxAddress(host: host, port: listen.port)
            reception.state = listen.isLoopback ? .receivingLocally : .receiving
        }
        current = Mutex(reception)
    }

    /// Notes the port that was selected for `--listen HOST:0`, from the address at which the inbox accepts posts.
    func accepts(at address: String) {
        guard let port = address.split(separator: ":").last, UInt16(port) != nil else { return }
        current.withLock { reception in
            guard reception.address.text.hasSuffix(":0") else { return }
            reception.address = InboxAddress(String(reception.address.text.dropLast()) + port) ?? reception.address
        }
    }

    var now: InboxReception { current.withLock { $0 } }
}

/// A watch process: the inbox, the watched files, the daily run and the dashboard, until its task is cancelled.
private struct WatchProcess {
    let context: CommandContext
    let options: WatchOptions
    let runs: WatchRuns
    let reception: WatchReception

    func run() async throws {
        let factory = runs.factory
        let output = WatchOutput(context: context, flush: factory.flush, clock: runs.settings.clock)
        try await runs.prepare()
        let archive = context.environment.factory.inbox.archive(runs.settings)
        let signals = WatchSignals()
        // Before the process reports that it is ready.
        let changes = factory.changes.changes(of: runs.settings.sources.filter { $0.hasPrefix("/") })
        let readiness = Readiness(parts: (options.inbox == nil ? 0 : 1) + (options.dashboardPort == nil ? 0 : 1)) {
            factory.notify("READY=1")
        }
        let loop = WatchLoop(
            work: runs.work(archive: archive) { output.report($0) }, signals: signals, time: context.environment.time
        ) { output.report($0) }
        do {
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { await loop.run() }
                group.addTask { await observe(changes, signals) }
                group.addTask { try await sendWaiting(archive, signals) }
                group.addTask { try await sendDaily(signals) }
                group.addTask { try await announceEnd(output) }
                if let address = options.inbox {
                    group.addTask { try await listen(address, archive, signals, output, readiness) }
                }
                if let pull = try pull(signals, output) {
                    group.addTask { try await pull.run() }
                }
                if let port = options.dashboardPort {
                    group.addTask { try await showDashboard(port, output, readiness) }
                }
                signals.send(.posts)
                signals.send(.prune)
                while try await group.next() != nil {}
            }
        } catch is CancellationError {
            // The process ends when its task is cancelled.
        }
    }

    /// Returns what fetches the posts on a server; `nil` if none is configured.
    private func pull(_ signals: WatchSignals, _ output: WatchOutput) throws -> PullLoop? {
        guard let server = runs.settings.inboxServer, let pulling = context.environment.factory.pulling else {
            return nil
        }
        return PullLoop(
            pull: InboxPull(
                server: try pulling.server(server, runs.settings), archive: pulling.archive(runs.settings)),
            time: context.environment.time, archived: { signals.send(.posts) }, report: { output.report($0) })
    }

    /// Sends a signal for each source that changed, and at the start for each that cannot be observed.
    private func observe(_ changes: AsyncStream<String>, _ signals: WatchSignals) async {
        for location in runs.settings.sources where !location.hasPrefix("/") { signals.send(.source(location)) }
        for await path in changes { signals.send(.source(path)) }
    }

    /// Sends a signal for posts that other commands make wait, such as `inbox retry`.
    private func sendWaiting(_ archive: any InboxArchive, _ signals: WatchSignals) async throws {
        while true {
            try await context.environment.time.wait(milliseconds: 1_000)
            // An archive that cannot be read is reported when the posts are imported.
            let isIdle = (try? await archive.waiting(limit: 1).isEmpty) ?? false
            if !isIdle { signals.send(.posts) }
        }
    }

    private func sendDaily(_ signals: WatchSignals) async throws {
        let time = context.environment.time
        while true {
            let due = options.hour.next(after: time.now(), by: runs.settings.clock)
            // In short steps: while the machine sleeps, the clock of a wait may stand still.
            while case let left = due.milliseconds - time.now().milliseconds, left > 0 {
                try await time.wait(milliseconds: min(left, 60_000))
            }
            signals.send(runs.settings.sources.isEmpty ? .prune : .daily)
        }
    }

    /// Announces the end when the task is cancelled.
    private func announceEnd(_ output: WatchOutput) async throws {
        do {
            while true { try await context.environment.time.wait(milliseconds: 3_600_000) }
        } catch {
            output.stopping()
            runs.factory.notify("STOPPING=1")
            throw error
        }
    }

    private func listen(
        _ address: ListenAddress, _ archive: any InboxArchive, _ signals: WatchSignals, _ output: WatchOutput,
        _ readiness: Readiness
    ) async throws {
        try await runs.factory.listen(
            InboxListenRequest(
                host: address.host, port: address.port, admitsLocalNetwork: options.admitsLocalNetwork,
                settings: runs.settings, archive: archive, version: context.environment.version,
                ready: {
                    reception.accepts(at: $0)
                    output.listening($0)
                    readiness.reached()
                },
                received: {
                    output.received($0)
                    signals.send(.posts)
                }))
    }

    private func showDashboard(_ port: UInt16, _ output: WatchOutput, _ readiness: Readiness) async throws {
        let settings = try await context.localSettings()
        try await DashboardProcess(
            context: context, port: port, opensBrowser: false, reception: { reception.now }
        ).show(settings) {
            output.showsDashboard($0)
            readiness.reached()
        }
    }
}

/// The output of a watch process: lines for people on standard error, or with `--json` one JSON object for each event
/// on standard output. Contains no health values.
private struct WatchOutput: Sendable {
    let context: CommandContext
    let flush: @Sendable () -> Void
    let clock: DayClock

    func listening(_ address: String) {
        show("listening on \(address)", ["event": "listening", "address": address])
    }

    func showsDashboard(_ address: String) {
        show("dashboard at \(address)", ["event": "dashboard", "address": address])
    }

    func received(_ post: ReceivedPost) {
        show(
            "received \(Figures.grouped(Int(post.bytes))) bytes of \(post.sender ?? "an unknown app") from \(post.device)",
            [
                "event": "received", "id": post.id, "sender": post.sender,
                "bytes": post.bytes, "device": post.device,
            ])
    }

    func report(_ event: WatchEvent) {
        switch event {
        case .posts(let report): posts(report)
        case .sources(let location, let report): sources(location, report)
        case .pulled(let posts, let bytes):
            show(
                "\(Figures.count(posts, "post")) fetched from the server",
                ["event": "pulled", "posts": posts, "bytes": bytes])
        case .delivered(let records):
            show("\(Figures.count(records, "record")) delivered", ["event": "delivered", "records": records])
        case .held(let since):
            show(
                "delivery is \(DeliveryVerdict.pause(since: local(since))); it continues after `healthsync resume`",
                ["event": "held", "heldSince": since])
        case .failed(let failure): failed(failure)
        }
    }

    func stopping() { show("stopping", ["event": "stopping"]) }

    private func local(_ instant: Instant) -> String { Figures.wallClock(instant, clock) }

    private func posts(_ report: InboxReport) {
        for post in report.undecoded {
            failed(
                SyncFailure(
                    .badInput, subject: post.sender ?? "a post", reason: "could not be decoded: \(post.reason)",
                    advice: "see `healthsync inbox show \(post.id)`"))
        }
        for gap in report.gaps {
            failed(
                SyncFailure(
                    .incompleteInput, subject: "inbox", reason: gap, advice: "send the days again from the app"))
        }
        for run in report.runs { problems(of: run) }
        guard report.decoded > 0 else { return }
        imported(Figures.count(report.decoded, "post"), report.decoded, report.samplesStored, report.days)
    }

    private func sources(_ location: String?, _ report: RunReport) {
        problems(of: report)
        let reading = report.account.reading
        let read = reading.sources - reading.unchangedSources
        guard read > 0 || report.daysDerived > 0 else { return }
        imported(location ?? Figures.count(read, "source"), read, reading.stored, report.daysDerived)
    }

    private func imported(_ what: String, _ inputs: Int, _ samples: Int, _ days: Int) {
        show(
            "\(what) imported: \(Figures.count(samples, "new sample")), \(Figures.count(days, "day")) updated",
            [
                "event": "imported", "inputs": inputs, "samplesStored": samples, "dayCount": days, "days": days,
            ])
    }

    private func problems(of report: RunReport) {
        for failure in report.sync.failures.map(\.failure) + report.problems { failed(failure) }
        if let notice = report.zoneNotice { warn(notice) }
        if let notice = report.notice { show(notice, ["event": "notice", "text": notice]) }
    }

    private func failed(_ failure: SyncFailure) {
        guard isJSON else {
            let text = context.style.completed(failure.description)
            return context.environment.errorLine("healthsync: \(UntrustedText.escaped(text))")
        }
        show("", ["event": "failed", "reason": failure.description])
    }

    private func warn(_ text: String) {
        if !isJSON { context.warn(text) }
    }

    private func show(_ line: String, _ json: JSONValue) {
        guard isJSON else { return context.warn(line) }
        context.environment.output(JSONText.line(json) + "\n")
        flush()
    }

    private var isJSON: Bool { context.parsed.has("json") }
}

/// Calls a function once, when all parts of a process are ready.
private final class Readiness: Sendable {
    private let left: Mutex<Int>
    private let ready: @Sendable () -> Void

    /// Waits for `parts` calls of `reached`; calls `ready` at once if `parts` is 0.
    init(parts: Int, _ ready: @escaping @Sendable () -> Void) {
        left = Mutex(parts)
        self.ready = ready
        if parts == 0 { ready() }
    }

    /// Notes that a part is ready.
    func reached() {
        let isLast = left.withLock { left in
            left -= 1
            return left == 0
        }
        if isLast { ready() }
    }
}
