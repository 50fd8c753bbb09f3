package import Foundation
package import HealthSyncDomain
import HealthSyncPorts

/// Whose data it is: a UUID from the settings, or one made at first use and kept beside the database.
package struct UserProfile: Sendable {
    private let environment: CommandEnvironment

    init(environment: CommandEnvironment) { self.environment = environment }

    /// The profile's id, made and kept when there is none yet. Of two runs that make one at the same time both get the
    /// one that was kept.
    package func id(_ settings: Settings) throws(SyncFailure) -> UUID {
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
                path, "holds no UUID", advice: "put the UUID of your deliveries back, or remove the file")
        }
        return id
    }

    private static func path(_ settings: Settings) -> String { settings.dataDirectory + "/user-profile-id" }
}
