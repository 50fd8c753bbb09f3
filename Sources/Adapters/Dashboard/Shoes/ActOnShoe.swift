import HealthSyncDomain
import HealthSyncPorts

/// Starts or ends a session of a pair of shoes, or makes the pair the default, archives or restores it.
struct ActOnShoe: PageAction {
    /// The action.
    enum Verb: String, CaseIterable {
        case start
        case stop
        case makeDefault = "default"
        case archive
        case unarchive

        fileprivate var button: String {
            switch self {
            case .start: "Start session"
            case .stop: "End session"
            case .makeDefault: "Make default"
            case .archive: "Archive"
            case .unarchive: "Restore"
            }
        }
    }

    let verb: Verb
    let actions: any ShoeActions

    static let address = ShoesPage.address
    var address: String { Self.address(of: verb) }

    private static func address(of verb: Verb) -> String { "\(address)/\(verb.rawValue)" }

    /// Returns the form for a shoe.
    static func form(_ verb: Verb, _ shoe: Shoe, _ viewer: WebViewer) -> Markup {
        Form.post(
            address(of: verb), viewer: viewer,
            [
                Form.hidden("shoe", ShoeLabels.id(shoe.id)),
                Form.button(verb.button, [.init("aria-label", "\(verb.button): \(ShoeLabels.label(shoe))")]),
            ])
    }

    func place(of request: WebRequest) -> FormPlace? { ShoePage.place(of: request) }

    func perform(_ request: WebRequest) async throws -> ActionOutcome {
        let id = try ShoeLabels.id(in: request)
        switch verb {
        case .start: _ = try await actions.run(.start(id))
        case .stop: _ = try await actions.run(.stop)
        case .makeDefault: _ = try await actions.run(.setDefault(id))
        case .archive: _ = try await actions.run(.archive(id))
        case .unarchive: _ = try await actions.run(.unarchive(id))
        }
        return .seeOther(ShoePage.address(of: id))
    }
}
