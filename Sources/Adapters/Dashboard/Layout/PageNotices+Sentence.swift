import HealthSyncDomain
import HealthSyncPorts

extension PageNotices.OutOfDate {
    /// Returns `21 days are out of date, 11 Mar 2026 to 31 Mar 2026: run healthsync historical.`
    func sentence(_ numbers: NumberForm) -> String {
        let days = CountText.of(count, "day", number: { numbers.whole(Double($0)) })
        let last = extent.count == 1 ? "" : " to \(extent.last.dateInWords)"
        return "\(days) \(count == 1 ? "is" : "are") out of date, \(extent.first.dateInWords)\(last): run \(command)."
    }
}
