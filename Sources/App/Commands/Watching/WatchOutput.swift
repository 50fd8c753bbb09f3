import HealthSyncDomain
import HealthSyncEngine

/// The output of a watch process: lines for people on standard error, or with `--json` one JSON object for each event
/// on standard output. Contains no health values.
struct WatchOutput: Sendable {
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
            return context.environment.errorLine("healthsync: \(UntrustedText.escaped(failure.description))")
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
