import HealthSyncDomain
import HealthSyncPorts

extension SamplePageCodec {
    /// Decodes the stored page at `key`.
    ///
    /// - Throws: `SyncFailure` with `.storage` for damaged bytes.
    static func decode(_ bytes: [UInt8], at key: SamplePageKey) throws(SyncFailure) -> SampleColumns {
        var columns = SampleColumns()
        try decode(bytes, at: key, onto: &columns)
        return columns
    }

    /// Decodes the stored page at `key` and appends its samples to `columns`.
    ///
    /// - Throws: `SyncFailure` with `.storage` for damaged bytes.
    static func decode(
        _ bytes: [UInt8], at key: SamplePageKey, onto columns: inout SampleColumns
    ) throws(SyncFailure) {
        do {
            try decode(bytes, onto: &columns)
        } catch {
            throw SyncFailure(
                .storage, subject: "the stored page of \(key.type.shortName) on \(key.day)",
                reason: "the data is damaged",
                advice: "restore the database from a backup, or move it away and run `healthsync historical` on the"
                    + " export again")
        }
    }
}
