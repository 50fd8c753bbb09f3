import HealthSyncDomain
import HealthSyncPorts

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
