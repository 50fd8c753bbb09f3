import HealthSyncDomain

/// The state of the server.
struct ServerSection {
    let server: KnownServer?
    /// Whether the user paused delivery.
    let isPaused: Bool
    let state: DestinationState?
    let counts: [DeliveryState: Int]
    /// The last verification; `nil` without one.
    let verification: VerificationState?
    let context: PageContext

    var markup: Markup {
        let title = Markup.tag("h2", [], "Server")
        return .tag(
            "section", [.class("card"), .id("server")],
            [title, Self.line(server)] + notices + [verdict, FactList.markup(facts)])
    }

    /// Returns the address of the server.
    static func line(_ server: KnownServer?) -> Markup {
        guard let server else {
            let advice =
                "No server is configured; all data stays local. "
                + "To deliver it, run with --server or set server.url in the configuration."
            return .tag("p", [], .text(advice))
        }
        let how = server.isConfigured ? "" : " (not configured; the only known server)"
        return .tag("p", [.class("server")], .text(server.destination + how))
    }

    /// Such as "All 42,320 records verified 22 Nov 2026, 06:26".
    private var verdict: Markup {
        guard let verification else { return .nothing }
        let words = verification.words { context.numbers.whole(Double($0)) }
        let before = words.before.prefix(1).uppercased() + words.before.dropFirst()
        guard let last = verification.last else { return .tag("p", [.id("verification")], .text(before + ".")) }
        let isGood = last.verdict == .equal && !verification.hasChangedSince
        return .tag(
            "p", [.id("verification"), .class(isGood ? "good" : "notice warn")],
            .text(before) + " " + context.moment(last.at) + .text(words.after + "."))
    }

    private var facts: [(name: String, value: Markup)] {
        let names: [(DeliveryState, String)] = [
            (.delivered, "Delivered"), (.pending, "Waiting"), (.leased, "In flight"), (.dead, "Rejected"),
        ]
        return names.map { state, name in
            let count = Double(counts[state] ?? 0)
            return (name, Figure.number(count, context.numbers.whole(count)))
        }
    }

    private var notices: [Markup] {
        var notices: [Markup] = []
        func notice(_ text: Markup) { notices.append(.tag("p", [.class("notice warn")], text)) }
        if isPaused { notice("Delivery is paused by healthsync pause; run healthsync resume to continue.") }
        guard let state else { return notices }
        if state.isDisabled { notice("Disabled: the server reports that it is permanently gone.") }
        if let reason = state.pausedReason { notice("Paused: \(reason)") }
        if let instant = state.notBefore, instant > context.now {
            notice("Nothing is sent before " + context.moment(instant) + ".")
        }
        if state.consecutiveFailures > 0 { notice("The last \(state.consecutiveFailures) attempts failed.") }
        return notices
    }
}
