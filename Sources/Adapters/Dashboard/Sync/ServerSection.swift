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
