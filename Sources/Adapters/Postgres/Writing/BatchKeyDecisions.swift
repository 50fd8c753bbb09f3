import HealthSyncDomain
import HealthSyncPorts

/// Finds the requests of a group whose idempotency key was used before.
struct BatchKeyDecisions {
    private let requested: [BatchKey]
    /// The content digests by the key's UTF-8: canonically equivalent keys of different code points are different keys.
    private var known: [[UInt8]: ContentDigest] = [:]
    private var added: [(key: BatchKey, at: Instant)] = []

    init(_ writes: [ReceivedWrite]) { requested = writes.compactMap(\.key) }

    /// The query for keys that are already stored.
    var query: UserCommand? {
        guard !requested.isEmpty else { return nil }
        return UserCommand(
            "SELECT key, content FROM batch_keys WHERE user_id = $1 AND key = ANY ($2::text[])",
            [.array(.text, of: requested) { $0.text($1.key) }])
    }

    mutating func load(_ rows: PostgresRows) throws {
        let stored = try rows.map { row in (key: try row.text(), content: ContentDigest(try row.bytes())) }
        for (key, content) in stored { known[Array(key.utf8)] = content }
    }

    /// Returns the failure of a request that must not be stored; `nil` if it may.
    mutating func decide(_ write: ReceivedWrite) -> SyncFailure? {
        guard let key = write.key else { return nil }
        guard let content = known[Array(key.key.utf8)] else {
            known[Array(key.key.utf8)] = key.content
            added.append((key, write.receivedAt))
            return nil
        }
        guard content != key.content else { return nil }
        return SyncFailure(
            .batchKeyReused, subject: "Idempotency-Key", reason: "was used before with different content",
            advice: "use a new key for each content")
    }

    var changes: [UserCommand] {
        guard !added.isEmpty else { return [] }
        return [
            UserCommand(
                """
                INSERT INTO batch_keys (user_id, key, content, received_ms)
                SELECT $1, n.* FROM unnest($2::text[], $3::bytea[], $4::bigint[]) AS n
                """,
                [
                    .array(.text, of: added) { $0.text($1.key.key) },
                    .array(.bytea, of: added) { $0.bytea($1.key.content.bytes) },
                    .array(.int8, of: added) { $0.int8($1.at.milliseconds) },
                ])
        ]
    }
}
