import HealthSyncDomain
import HealthSyncPorts

/// Adds a pair of shoes to the collection.
struct AddShoe: PageAction {
    static let address = "/view/shoes/add"
    let actions: any ShoeActions

    func place(of request: WebRequest) -> FormPlace? { FormPlace(address: ShoesPage.address) }

    func perform(_ request: WebRequest) async throws -> ActionOutcome {
        let details = try ShoeForm.details(request)
        let shoe = try await actions.run(.add(details, isDefault: request.fields("default") == ["yes"]))
        return .seeOther(ShoePage.address(of: shoe.id))
    }
}
