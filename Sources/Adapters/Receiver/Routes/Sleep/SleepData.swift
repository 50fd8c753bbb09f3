import HealthSyncDomain
import HealthSyncPorts

/// The JSON of a stored session.
enum SleepData {
    /// Returns the id on this server of the session that its client calls `sourceID`.
    static func id(of sourceID: String, user: UserName, hasher: any ContentHasher) -> String {
        let name = Array("healthsync:sleep\u{1F}\(user)\u{1F}\(sourceID)".utf8)
        return unsafe name.withUnsafeBytes { unsafe SampleID(version5: hasher.sha1Prefix($0)) }.description
    }

    static func write(_ stored: StoredRecord, user: UserName, hasher: any ContentHasher, to writer: inout JSONWriter) {
        writer.beginObject()
        writer.name("id")
        writer.string(id(of: stored.record.id, user: user, hasher: hasher))
        writer.name("user_id")
        writer.string(user.text)
        // The stored object, without its braces.
        writer.raw(stored.record.body.dropFirst().dropLast())
        writer.name("created_at")
        writer.time(stored.createdAt)
        writer.name("updated_at")
        writer.time(stored.updatedAt)
        writer.endObject()
    }
}
