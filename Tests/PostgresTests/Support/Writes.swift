import HealthSyncDomain
import HealthSyncPostgres
import HealthSyncTestKit

/// Requests for tests.
enum Writes {
    static let origin = ReceivedOrigin(bundleID: "com.apple.health", deviceName: "iPhone", unit: "count")

    static func steps(
        _ samples: [ReceivedSample], user: UserName = .local, key: BatchKey? = nil, origins: [ReceivedOrigin] = [origin]
    ) -> ReceivedWrite {
        ReceivedWrite(
            user: user, key: key, receivedAt: ReceivingSamples.now,
            content: .samples(type: "steps", ReceivedSampleBatch(origins: origins, samples: samples)))
    }

    /// Returns the sample with this number.
    static func sample(_ number: Int, revision: Int64 = 0, value: Double = 1) -> ReceivedSample {
        let start = ReceivingSamples.now.advanced(bySeconds: Int64(number) * 60)
        return ReceivedSample(
            id: ReceivingSamples.id(number), start: start, end: start.advanced(bySeconds: 60), value: value,
            revision: revision)
    }

    /// Opens stores on one new database, each with its own sessions, like separate processes.
    static func stores(_ count: Int) async throws -> (database: String, stores: [PostgresReceivedDataStore]) {
        let server = try await TestServer.shared.value
        let database = try await server.newDatabase()
        let address = try server.address(database)
        var stores: [PostgresReceivedDataStore] = []
        for _ in 0..<count { stores.append(try await PostgresReceivedDataStore.open(at: address)) }
        return (database, stores)
    }
}
