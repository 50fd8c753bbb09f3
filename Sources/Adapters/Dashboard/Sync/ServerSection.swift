import HealthSyncDomain
import HealthSyncPorts

/// The state of the server.
struct ServerSection {
    let server: KnownServer?
    /// Whether a run is in progress.
    let isRunning: Bool
    /// When the user paused delivery; `nil` if it is not paused.
    let heldSince: Instant?
    let state: DestinationState?
    /// Why the last attempts failed; `nil` if it is not known.
    let trouble: String?
    /// The number of items in each state; delivered ones only of records.
    let counts: [DeliveryState: Int]
    /// The number of intervals with raw samples that the server has; `nil` without intervals.
    let syncedIntervals: Int?
    /// The last verification; `nil` without one.
    let verification: VerificationState?
    /// The records that the server is not offered; `nil` for none.
    let omitted: OmittedRecords?
    /// One of the rejected items.
    let rejection: OutboxItem?
    /// The last action that was started on the pages.
    let started: StartedAction?
    let context: PageContext

    var markup: Markup {
        var content: [Markup] = [.tag("h2", [], "Server"), Self.line(server)]
        if server != nil { content += verdictLines }
        content += notices
        content.append(FactList.markup(facts))
        if let omitted {
            let text = omitted.text(day: omitted.lastDay.dateInWords) { context.numbers.whole(Double($0)) }
            content.append(.tag("p", [.id("omitted"), .class("quiet")], .text(text.filter { $0 != "`" } + ".")))
        }
        content +=
            DeliveryButtons(server: server, isPaused: heldSince != nil, started: started, context: context).markup
        return .tag("section", [.class("card"), .id("server")], content)
    }

    /// Returns the address of the server.
    static func line(_ server: KnownServer?) -> Markup {
        guard let server else {
            let advice =
                "No server is configured, and none is needed: all data stays on this computer. "
                + "To also deliver it to a server of your own, run with --server or set server.url in the configuration."
            return .tag("p", [], .text(advice))
        }
        let how = server.isConfigured ? "" : " (not configured; the only known server)"
        return .tag("p", [.class("server")], .text(server.destination + how))
    }

    private var verdict: DeliveryVerdict {
        DeliveryVerdict(
            counts: counts, pause: heldSince.map { DeliveryVerdict.pause(since: context.momentText($0)) }, state: state,
            trouble: trouble, verification: verification,
            rejection: rejection, isRunning: isRunning, hasRecords: context.recorded != nil
        ) { context.numbers.whole(Double($0)) }
    }

    /// The verdict, such as "20 items rejected, 115 waiting", and the last verification, which may be the verdict.
    private var verdictLines: [Markup] {
        let verdict = verdict
        let style =
            switch verdict.tone {
            case .good: "verdict good"
            case .neutral: "verdict"
            case .bad: "verdict warn"
            }
        guard verdict.at == nil else { return [verificationLine(style)] }
        let reason = verdict.reason.map { ": \($0)" } ?? ""
        return [
            .tag(
                "p", [.id("verdict"), .class(style)], .tag("strong", [], .text(verdict.statement.inSentenceCase)),
                .text(reason + ".")),
            verificationLine("quiet"),
        ]
    }

    /// Such as "All 320 records and 42,000 samples verified 22 Nov 2026, 06:26".
    private func verificationLine(_ style: String) -> Markup {
        guard let verification else { return .nothing }
        let words = verification.words { context.numbers.whole(Double($0)) }
        let before = words.before.inSentenceCase
        guard let last = verification.last else {
            return .tag("p", [.id("verification"), .class(style)], .text(before + "."))
        }
        return .tag(
            "p", [.id("verification"), .class(style)],
            .text(before) + " " + context.moment(last.at) + .text(words.after + "."))
    }

    private var facts: [(name: String, value: Markup)] {
        let named: [(String, Int?)] = [
            ("Record items delivered", counts[.delivered] ?? 0), ("Intervals delivered", syncedIntervals),
            ("Items waiting", counts[.pending] ?? 0), ("Items in flight", counts[.leased] ?? 0),
            ("Items rejected", counts[.dead] ?? 0),
        ]
        return named.compactMap { name, count in
            count.map { (name, Figure.number(Double($0), context.numbers.whole(Double($0)))) }
        }
    }

    private var notices: [Markup] {
        var notices: [Markup] = []
        func notice(_ text: Markup) { notices.append(.tag("p", [.class("notice warn")], text)) }
        if let heldSince {
            let text =
                "Delivery is held by your pause since " + context.moment(heldSince) + ". Resume sends what waits."
            notices.append(.tag("p", [.class("notice"), .id("held")], text))
        }
        guard let state else { return notices }
        // If something waits, the verdict states why.
        let isIdle = (counts[.pending] ?? 0) + (counts[.leased] ?? 0) == 0
        if isIdle, state.isDisabled { notice("Disabled: the server reports that it is permanently gone.") }
        if isIdle, let reason = state.pausedReason { notice("Paused: \(reason)") }
        if let instant = state.notBefore, instant > context.now {
            notice("Nothing is sent before " + context.moment(instant) + ".")
        }
        if isIdle, state.consecutiveFailures > 0 { notice("The last \(state.consecutiveFailures) attempts failed.") }
        return notices
    }
}

/// The buttons that start runs and deliveries, and the last action that they started.
private struct DeliveryButtons {
    let server: KnownServer?
    let isPaused: Bool
    let started: StartedAction?
    let context: PageContext

    var markup: [Markup] {
        let forms = actions.map { action in
            Form.post(
                StartDelivery.address(of: action), viewer: context.request.viewer,
                [Form.button(action.button, action == .sync ? [.class("strong")] : [])])
        }
        let clear = Form.post(ClearDelivery.address, viewer: context.request.viewer, [Form.button("Clear …")])
        return [.tag("div", [.class("fields actions")], forms + [clear])] + (started.map { [line($0)] } ?? [])
    }

    private var actions: [DeliveryAction] {
        guard let server, server.isConfigured else { return [.sync] }
        return [.sync, .send, isPaused ? .resume : .pause, .verify]
    }

    private func line(_ started: StartedAction) -> Markup {
        guard let outcome = started.outcome else {
            return .tag(
                "p", [.class("notice in-progress"), .id("started")],
                .text("\(started.action.button) is in progress since "), context.moment(started.at), ".")
        }
        return .tag(
            "p", [.class(started.isGood ? "notice" : "notice warn"), .id("started")],
            .tag("strong", [], .text(started.action.button)), " ended ", context.moment(started.at),
            .text(": " + outcome.filter { $0 != "`" }.shortened(to: Self.longestOutcome)))
    }

    private static let longestOutcome = 600
}

extension DeliveryAction {
    /// The name of the button.
    var button: String {
        switch self {
        case .sync: "Sync now"
        case .send: "Send"
        case .pause: "Pause"
        case .resume: "Resume"
        case .verify: "Verify"
        case .clearIntervals: "Delete the intervals"
        case .clearServer: "Delete the steps on the server"
        }
    }
}

/// Starts a run or a delivery that needs no second question.
struct StartDelivery: PageAction {
    /// The actions with a button of their own.
    static let offered: [DeliveryAction] = [.sync, .send, .pause, .resume, .verify]

    let action: DeliveryAction
    let actions: any DeliveryActions

    static let address = SyncPage.address
    var address: String { Self.address(of: action) }

    /// Returns the address that the form of an action is sent to.
    static func address(of action: DeliveryAction) -> String { "\(address)/\(action.rawValue)" }

    func place(of request: WebRequest) -> FormPlace? { FormPlace(address: SyncPage.address) }

    func perform(_ request: WebRequest) async throws -> ActionOutcome {
        try await actions.start(action)
        return .seeOther(SyncPage.address)
    }
}

/// Deletes the intervals, or the raw steps on the server. First asks which, and deletes only if the server is still the
/// one that the question named.
struct ClearDelivery: PageAction {
    static let address = "/view/sync/clear"
    let home: LocalSources

    func place(of request: WebRequest) -> FormPlace? { FormPlace(address: SyncPage.address) }

    func perform(_ request: WebRequest) async throws -> ActionOutcome {
        let server = try await home.server().flatMap { $0.isConfigured ? $0.destination : nil }
        let actions: [DeliveryAction] = [.clearIntervals] + (server == nil ? [] : [.clearServer])
        let chosen = request.fields("what").first.flatMap { DeliveryAction(rawValue: $0) }
        guard let chosen, actions.contains(chosen), request.fields("confirmed") == [server ?? "no server"] else {
            return .page(name: "Delete what?", question(actions, server: server, viewer: request.viewer))
        }
        try await home.deliveryActions.start(chosen)
        return .seeOther(SyncPage.address)
    }

    private func question(_ actions: [DeliveryAction], server: String?, viewer: WebViewer) -> [Markup] {
        let cards = actions.map { action in
            Markup.tag(
                "section", [.class("card"), .id(action == .clearServer ? "clear-server" : "clear-intervals")],
                .tag("h2", [], .text(action.button)),
                .tag("p", [], .text(action == .clearServer ? Self.ofServer(server ?? "") : Self.ofIntervals)),
                Form.post(
                    Self.address, viewer: viewer,
                    [
                        Form.hidden("what", action.rawValue), Form.hidden("confirmed", server ?? "no server"),
                        Form.button(
                            "Delete permanently", [.init("aria-label", "Delete permanently: \(action.button)")]),
                    ]))
        }
        return cards + [
            .tag("p", [], .tag("a", [.class("button strong"), .href(SyncPage.address)], "Cancel"))
        ]
    }

    private static let ofIntervals =
        "Deletes the intervals of raw samples in the local database, and their entries in the outbox. Samples and results "
        + "do not change. The next historical run that delivers raw samples creates the intervals again and sends them; "
        + "the server recognizes the samples that it has."

    private static func ofServer(_ server: String) -> String {
        "Deletes all raw steps on \(server), and the local intervals. The next historical run sends the steps again."
    }
}
