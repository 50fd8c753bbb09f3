import HealthSyncDomain
import HealthSyncPorts

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
