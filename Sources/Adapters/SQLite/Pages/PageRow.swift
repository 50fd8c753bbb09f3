import HealthSyncDomain
import HealthSyncPorts

extension SQLiteStatement {
    /// Reads the next columns: count, sum, first_start_ms, last_end_ms, digest, columns.
    func page(at key: SamplePageKey) throws -> PackedPage {
        let summary = SamplePageSummary(
            count: try int(), sum: try real(), firstStart: try instant(), lastEnd: try instant())
        let digest = try digest()
        return PackedPage(key: key, summary: summary, bytes: try blob(), digest: digest)
    }
}
