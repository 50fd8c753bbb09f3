import HealthSyncDomain
import HealthSyncPorts

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
