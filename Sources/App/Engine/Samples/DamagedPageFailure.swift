import HealthSyncDomain
import HealthSyncPorts

extension SamplePageCodec {
    /// Decodes the stored page at `key`.
    ///
    /// - Throws: `SyncFailure` with `.storage` for damaged bytes.
    static func decode(_ bytes: [UInt8], at key: SamplePageKey) throws(SyncFailure) -> SampleColumns {
        do {
            return try decode(bytes)
        } catch {
            throw SyncFailure(
                .storage, subject: "the stored page of \(key.type.shortName) on \(key.day)",
                reason: "the data is damaged",
                advice: "restore the database from a backup, or move it away and run `healthsync historical` on the"
                    + " export again")
        }
    }
}
