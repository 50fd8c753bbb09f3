import HealthSyncDomain
import HealthSyncPorts

/// The current run, the state of the server with what can be done, the last runs, rejected and pending items, and the
/// sources.
struct SyncPage: Page {
    static let address = "/view/sync"
    let name = "Sync"
    let home: LocalSources

    private static let mostRejected = 100
    private static let mostWaiting = 20
    private static let mostRuns = 50

    func content(_ context: PageContext) async throws -> [Markup] {
        let shown = try await home.server()
        let counts = try await home.outbox.counts(destination: shown?.destination)
        let rejected = try await home.outbox.items(
            in: .dead, destination: shown?.destination, limit: Self.mostRejected)
        let waiting = try await home.outbox.items(
            in: .pending, destination: shown?.destination, limit: Self.mostWaiting)
        var state: DestinationState?
        var verification: VerificationState?
        var omitted: OmittedRecords?
        if let destination = shown?.destination {
            state = try await home.outbox.destinationState(destination)
            verification = try await home.verification(destination)
            omitted = try await home.outbox.omittedRecords(destination: destination)
        }
        let history = try await home.runs.runHistory(limit: Self.mostRuns)
        let current = CurrentRunSection(history: history, context: context)
        let server = ServerSection(
            server: shown, isRunning: history.current != nil, heldSince: home.hold.since(), state: state,
            trouble: shown.flatMap { history.trouble(with: $0.destination) }, counts: counts,
            syncedIntervals: try await syncedIntervals(at: shown?.destination), verification: verification,
            omitted: omitted, rejection: rejected.first, started: await home.deliveryActions.last(),
            context: context)
        return [
            .tag("p", [.id("run-status"), .init("role", "status"), .init("aria-live", "polite")], current.status),
            Self.live("live-at-work", [current.markup]),
            Self.live("live-server", [server.markup]),
            Self.live(
                "live-refused",
                RejectedItemsSection(items: rejected, count: counts[.dead] ?? 0, context: context).markup),
            Self.live(
                "live-waiting",
                WaitingItemsSection(items: waiting, count: counts[.pending] ?? 0, context: context).markup),
            Self.live("live-runs", [LastRunsSection(runs: history.over, context: context).markup]),
            Self.live(
                "live-sources",
                [
                    SourcesSection(
                        sources: try await home.samples.importedSources(),
                        unsent: try await home.samples.unsentSamples(), hasImport: home.imports != nil, context: context
                    ).markup
                ]),
        ]
    }

    private func syncedIntervals(at destination: String?) async throws -> Int? {
        let types = try await home.intervals.layeredTypes().keys
        var count = types.isEmpty ? nil : 0
        for type in types {
            let statuses = try await home.intervals.statuses(of: type, destination: destination)
            count? += statuses.count { $0.state == .synced && !$0.isSyncedWithoutSamples }
        }
        return count
    }

    /// Returns a part of the page that a script updates.
    private static func live(_ id: String, _ content: [Markup]) -> Markup {
        .tag("div", [.id(id), .init("data-live")], content)
    }
}

extension NewOutboxItem {
    /// The name of the record, whose dates and times are not broken into two lines.
    var markup: Markup {
        var rest = name[...]
        var markup = Markup.nothing
        while !rest.isEmpty {
            let word = rest.prefix { $0 != "/" && $0 != " " }
            rest = rest.dropFirst(word.count)
            let isTime = CalendarDay(word.prefix(10)) != nil
            markup = markup + (isTime ? .tag("span", [.class("whole")], .text(String(word))) : .text(String(word)))
            if let separator = rest.popFirst() { markup = markup + .text(String(separator)) }
        }
        return markup
    }
}

/// The items that the server rejected, with buttons to retry them.
private struct RejectedItemsSection {
    let items: [OutboxItem]
    let count: Int
    let context: PageContext

    private static let longestReason = 200

    var markup: [Markup] {
        guard !items.isEmpty else {
            return [
                .tag(
                    "section", [.class("card"), .id("refused")], .tag("h2", [], "Rejected by the server"),
                    .tag("p", [], "Nothing."))
            ]
        }
        let shown: [Markup] =
            count > items.count
            ? [
                .tag(
                    "p", [.class("quiet")],
                    "The first \(items.count) of \(context.numbers.whole(Double(count))) are shown.")
            ] : []
        let form = Form.post(
            RetryItems.address, viewer: context.request.viewer,
            [
                table.markup, .tag("p", [.class("selection")]),
                .tag(
                    "p", [.class("fields")], Form.button("Send selected again", [.class("strong")]),
                    Form.button("Send all again", [.init("name", "all"), .init("value", "yes")])),
            ], attributes: [.init("data-select", "id")])
        return [
            .tag(
                "section", [.class("card"), .id("refused")],
                [
                    .tag("h2", [], "Rejected by the server"),
                    .tag("p", [.class("quiet")], "Kept until you send them again."),
                ] + shown + [form])
        ]
    }

    private var table: DataTable {
        var table = DataTable(
            "Rejected items",
            [.text("Item"), .text("Kind"), .text("Status"), .text("Reason"), .text("When")])
        for item in items {
            table.add([
                Form.checkbox(
                    "id", value: "\(item.id)", label: item.content.markup,
                    isChecked: context.isChosen("id", "\(item.id)", usual: false)),
                .text(
                    item.content.isTombstone ? "\(item.content.kind.rawValue), deletion" : item.content.kind.rawValue),
                .text(item.lastStatus.map { "\($0)" } ?? "–"),
                .tag("span", [.class("reason")], .text((item.lastReason ?? "").shortened(to: Self.longestReason))),
                context.moment(item.updatedAt),
            ])
        }
        return table
    }
}

/// Makes rejected items pending again and sends them.
struct RetryItems: PageAction {
    static let address = "/view/sync/retry"
    let actions: any OutboxActions
    let delivery: any DeliveryActions

    func place(of request: WebRequest) -> FormPlace? { FormPlace(address: SyncPage.address) }

    func perform(_ request: WebRequest) async throws -> ActionOutcome {
        let ids = request.fields("id").compactMap { Int64($0) }
        let isAll = request.fields("all") == ["yes"]
        guard isAll || !ids.isEmpty else {
            throw SyncFailure(
                .usage, subject: "send again", reason: "nothing is selected", advice: "select records")
        }
        _ = try await actions.retry(ids: isAll ? nil : ids)
        do {
            try await delivery.start(.send)
        } catch let failure as SyncFailure where failure.code == .busy {
            // Another action is in progress. The items wait, as the page shows.
        }
        return .seeOther(SyncPage.address)
    }
}

/// The pending items, the oldest first.
private struct WaitingItemsSection {
    let items: [OutboxItem]
    let count: Int
    let context: PageContext

    var markup: [Markup] {
        guard !items.isEmpty else { return [] }
        var table = DataTable(
            count > items.count
                ? "The oldest \(items.count) of \(context.numbers.whole(Double(count)))" : "All \(count)",
            [.text("Item"), .text("Kind"), .number("Own failures"), .text("Since")])
        for item in items {
            table.add([
                item.content.markup, .text(item.content.kind.rawValue),
                Figure.number(Double(item.attempts), "\(item.attempts)"), context.moment(item.createdAt),
            ])
        }
        return [
            .tag("section", [.class("card"), .id("waiting")], .tag("h2", [], "Waiting to be sent"), table.markup)
        ]
    }
}

/// The completed runs, the latest first.
private struct LastRunsSection {
    let runs: [RecordedRun]
    let context: PageContext

    private static let mostFailures = 3
    private static let longestText = 200

    var markup: Markup {
        let title = Markup.tag("h2", [], "Last runs")
        guard !runs.isEmpty else {
            return .tag("section", [.class("card"), .id("runs")], title, .tag("p", [], "Nothing yet."))
        }
        var table = DataTable(
            runs.count == 1 ? "The last run" : "The last \(runs.count) runs",
            [
                .text("Began"), .text("Command"), .text("Outcome"), .number("Read"), .number("Stored"),
                .number("Deleted"), .number("Changed"), .number("Delivered"), .number("Rejected"), .number("Waiting"),
            ])
        for run in runs { table.add(row(run)) }
        return .tag("section", [.class("card"), .id("runs")], title, table.markup)
    }

    private func row(_ run: RecordedRun) -> [Markup] {
        let account = run.end?.account ?? RunTotals()
        let took = run.milliseconds.map { milliseconds in
            Self.below(Figure.number(Double(milliseconds) / 1000, context.numbers.exact(milliseconds: milliseconds)))
        }
        let days = run.days.map { Self.below(Figure.days($0)) }
        return [
            context.moment(run.startedAt) + (took ?? .nothing), .text(run.command.rawValue) + (days ?? .nothing),
            outcome(run),
        ] + figures(account, of: run.end?.ending)
    }

    /// Returns the counts of a run; a dash where they are unknown because its process ended without recording them.
    private func figures(_ account: RunTotals, of ending: RunEnding?) -> [Markup] {
        let counts: [Int?] =
            ending == .cutOff
            ? [nil, nil, nil, nil]
            : [account.reading.records, account.reading.stored, account.reading.deleted, account.changedRecords]
        let delivery = account.delivery
        return (counts + [delivery?.delivered, delivery?.rejected, delivery?.left]).map { $0.map(figure) ?? "–" }
    }

    private func figure(_ count: Int) -> Markup {
        Figure.number(Double(count), context.numbers.whole(Double(count)))
    }

    private func outcome(_ run: RecordedRun) -> Markup {
        guard let end = run.end else { return "–" }
        let failures = end.allFailures
        let style =
            switch end.ending {
            case .completed: "good"
            case .held: "quiet"
            case .completedWithFailures, .failed, .cancelled, .cutOff: "warn"
            }
        var parts: [Markup] = [.tag("span", [.class(style)], .text(end.ending.text))]
        // The server may have rejected some of them, so they are not among the delivered records.
        if let samples = end.account.delivery?.samples, samples > 0 {
            parts.append(Self.below(figure(samples) + (samples == 1 ? " sample sent" : " samples sent")))
        }
        for failure in failures.prefix(Self.mostFailures) {
            let text = failure.subject.isEmpty ? failure.reason : "\(failure.subject): \(failure.reason)"
            parts.append(Self.below(.tag("span", [.class("reason")], .text(text.shortened(to: Self.longestText)))))
        }
        if failures.count > Self.mostFailures {
            parts.append(Self.below("and \(failures.count - Self.mostFailures) more"))
        }
        return .all(parts)
    }

    /// Returns `text` as the second line of a cell.
    private static func below(_ text: Markup) -> Markup { " " + .tag("span", [.class("below")], text) }
}

/// The imported sources, the latest first, and what the feeds among them lack.
private struct SourcesSection {
    let sources: [ImportedSource]
    /// The samples of exports that no feed sent.
    let unsent: UnsentSamples
    /// Whether the user can import a file on the pages.
    var hasImport = false
    let context: PageContext

    private static let mostShown = 50

    private var lack: Markup {
        guard let summary = unsent.summary else { return .nothing }
        return .tag("p", [.id("unsent"), .class("notice warn")], .text("\(summary)."))
    }

    private var link: Markup {
        hasImport ? .tag("p", [], .tag("a", [.href(ImportPage.address)], "Import a file")) : .nothing
    }

    var markup: Markup {
        let title = Markup.tag("h2", [], "Last imports")
        guard !sources.isEmpty else {
            return .tag("section", [.class("card"), .id("sources")], title, .tag("p", [], "Nothing yet."), link)
        }
        var table = DataTable("Sources", [.text("File"), .text("Kind"), .text("Exported"), .text("Imported")])
        for source in sources.prefix(Self.mostShown) {
            table.add([
                .text(source.fingerprint.path), .text(source.provider),
                source.exportDate.map { context.moment($0) } ?? "–", context.moment(source.importedAt),
            ])
        }
        return .tag("section", [.class("card"), .id("sources")], [title, lack, table.markup, link])
    }
}
