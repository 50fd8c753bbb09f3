import HealthSyncDomain
import HealthSyncPorts

extension DeliveryRun {
    /// Says what became of a request, without anything of what was in it.
    func note(_ batch: OutboxBatch, _ verdict: ResponseVerdict, milliseconds: Int64) {
        let place = batch.method == "DELETE" ? "DELETE of \(batch.kind.rawValue)" : "\(batch.method) \(batch.path)"
        delivery.log.note(
            "\(place): \(batch.itemIDs.count) items, \(batch.body.count) bytes, \(Self.answer(verdict)) in \(milliseconds) ms",
            isDetail: true)
    }

    private static func answer(_ verdict: ResponseVerdict) -> String {
        switch verdict {
        case .items(_, let status): "status \(status)"
        case .retryBatch(let reason, let status, _): status.map { "status \($0)" } ?? reason
        case .bisect(_, let status): "status \(status)"
        case .tooLarge: "status 413"
        case .pause(let reason, let status): status.map { "status \($0)" } ?? reason
        case .unknown(let reason): reason
        case .disable: "status 410"
        }
    }
}
