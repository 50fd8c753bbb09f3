package import Foundation
package import HealthSyncDomain
import HealthSyncPorts

/// Whose data it is: a UUID from the settings, or one made at first use and kept beside the database.
package struct UserProfile: Sendable {
    private let environment: CommandEnvironment

    init(environment: CommandEnvironment) { self.environment = environment }

    /// The profile's id. To be called by a run that holds the lock, so that two first runs do not make two.
    package func id(_ settings: Settings) throws(SyncFailure) -> UUID {
        if let id = settings.userProfileID { return id }
        let path = settings.dataDirectory + "/user-profile-id"
        if try environment.files.status(of: path) != nil {
            let text = String(decoding: try environment.files.read(path, limit: 256), as: UTF8.self)
            guard let id = UUID(uuidString: text.trimmingCharacters(in: .whitespacesAndNewlines)) else {
                throw .configuration(
                    path, "holds no UUID", advice: "put the UUID of your deliveries back, or remove the file")
            }
            return id
        }
        let id = Self.version4(environment.random.bytes(16))
        try environment.files.makePrivateFolder(settings.dataDirectory)
        try environment.files.writePrivateFile(path, Array("\(id.uuidString.lowercased())\n".utf8))
        return id
    }

    /// A random UUID (RFC 9562, section 5.4) of 16 bytes.
    private static func version4(_ random: [UInt8]) -> UUID {
        var bytes = random
        bytes[6] = bytes[6] & 0x0F | 0x40
        bytes[8] = bytes[8] & 0x3F | 0x80
        return UUID(
            uuid: (
                bytes[0], bytes[1], bytes[2], bytes[3], bytes[4], bytes[5], bytes[6], bytes[7], bytes[8], bytes[9],
                bytes[10], bytes[11], bytes[12], bytes[13], bytes[14], bytes[15]
            ))
    }
}
