import Foundation
package import HealthSyncDomain
import HealthSyncPorts
import HealthSyncSupport

/// The numbers of received deliveries in `inbox-deliveries.json` next to the database.
package struct FileDeliveryLedger: DeliveryLedger {
    private let path: String

    /// The ledger in `folder`, the data folder.
    package init(folder: String) { path = folder + "/inbox-deliveries.json" }

    package func sequences() async throws -> [DeliverySequence] {
        let path = path
        return try await BlockingWork.run { _ in
            guard let bytes = FileManager.default.contents(atPath: path) else { return [] }
            do {
                return try JSONDecoder().decode([DeliverySequence].self, from: bytes)
            } catch {
                throw Self.failure(path, "is damaged", advice: "delete it; only known gaps are lost")
            }
        }
    }

    package func store(_ sequences: [DeliverySequence]) async throws {
        let path = path
        let bytes = Array(try JSONEncoder().encode(sequences))
        try await BlockingWork.run { _ in
            do throws(SystemError) { try FileSystem.replace(path, with: bytes) } catch {
                throw Self.failure(path, error.text)
            }
        }
    }

    private static func failure(
        _ path: String, _ reason: String, advice: String = "free some space on the disk, or check the permissions"
    ) -> SyncFailure {
        SyncFailure(.storage, subject: path, reason: reason, advice: advice)
    }
}
