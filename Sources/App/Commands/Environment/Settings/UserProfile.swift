package import Foundation
import HealthSyncDomain
import HealthSyncPorts

/// The UUID of the user whose data it is: from the settings, or generated at first use and stored next to the database.
package struct UserProfile: Sendable {
    private let environment: CommandEnvironment

    init(environment: CommandEnvironment) { self.environment = environment }

    /// Returns the id of the profile and generates it if necessary. If two runs generate one at the same time, both
    /// return the one that was stored. Throws if the stored id is invalid, or if the file cannot be read or created.
    package func id(_ settings: Settings) async throws -> UUID {
        try await BlockingWork.run("healthsync.user-profile") { _ in try readOrMake(settings) }
    }

    private func readOrMake(_ settings: Settings) throws(SyncFailure) -> UUID {
        if let id = try storedID(settings) { return id }
        let id = UUID(version4: environment.random.bytes(16))
        try environment.files.makePrivateFolder(settings.dataDirectory)
        let line = Array("\(UUIDText.text(id))\n".utf8)
        let isOurs = try environment.files.makePrivateFile(Self.path(settings), line)
        return isOurs ? id : try storedID(settings) ?? id
    }

    private func storedID(_ settings: Settings) throws(SyncFailure) -> UUID? {
        if let id = settings.userProfileID { return id }
        let path = Self.path(settings)
        guard try environment.files.status(of: path) != nil else { return nil }
        let text = String(decoding: try environment.files.read(path, limit: 256), as: UTF8.self)
        guard let id = UUID(uuidString: text.trimmingCharacters(in: .whitespacesAndNewlines)) else {
            throw .configuration(
                path, "invalid UUID", advice: "restore the UUID of your earlier deliveries, or remove the file")
        }
        return id
    }

    private static func path(_ settings: Settings) -> String { settings.dataDirectory + "/user-profile-id" }
}
