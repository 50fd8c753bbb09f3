import HealthSyncDomain
import HealthSyncPorts

/// The buttons that start runs and deliveries, and the last action that they started.
struct DeliveryButtons {
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
