import HealthSyncDomain

extension SQLiteOutboxStore {
    func expireLeases(destination: String, now: Instant) async throws {
        try await writer.write { transaction in
            try transaction.connection.execute(
                "UPDATE outbox_batch SET lease_until_ms = ?1 WHERE destination = ?2 AND lease_until_ms > ?1",
                now, destination)
            try transaction.connection.execute(
                "UPDATE outbox_item SET lease_until_ms = ?1 WHERE destination = ?2 AND lease_until_ms > ?1",
                now, destination)
        }
    }
}
