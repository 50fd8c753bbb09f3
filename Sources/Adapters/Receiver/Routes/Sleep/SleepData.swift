import HealthSyncDomain
import HealthSyncPorts

/// The JSON of a stored session.
enum SleepData {
    static func write(_ stored: StoredRecord, user: UserName, hasher: any ContentHasher, to writer: inout JSONWriter) {
        let name = Array("healthsync:sleep\u{1F}\(user)\u{1F}\(stored.record.id)".utf8)
        let id = unsafe name.withUnsafeBytes { unsafe SampleID(version5: hasher.sha1Prefix($0)) }
        writer.beginObject()
        writer.name("id")
        writer.string(id.description)
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
