import HealthSyncDomain
import HealthSyncPorts

/// Replaces the details of a pair of shoes.
struct EditShoe: PageAction {
    static let address = "/view/shoes/edit"
    let actions: any ShoeActions

    func place(of request: WebRequest) -> FormPlace? { ShoePage.place(of: request) }

    func perform(_ request: WebRequest) async throws -> ActionOutcome {
        let shoe = try await actions.run(
            .edit(try ShoeLabels.id(in: request), try ShoeForm.details(request)))
        return .seeOther(ShoePage.address(of: shoe.id))
    }
}
