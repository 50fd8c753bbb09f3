import Foundation
package import HealthSyncDomain
import HealthSyncPorts

/// The pairing offer as a file in the data folder, visible to every process.
package struct PairingOfferFile: PairingOffers {
    private struct Offer: Codable {
        var name: String
        var endMilliseconds: Int64
    }

    private let folder: String
    private let path: String

    /// Creates the offer of the data folder `folder`.
    package init(folder: String) {
        self.folder = folder
        path = (folder as NSString).appendingPathComponent("healthsync.pairing")
    }

    package func offer(_ name: UserName, until end: Instant) throws {
        let files = PosixFiles()
        try files.makePrivateFolder(folder)
        let bytes = [UInt8](try JSONEncoder().encode(Offer(name: name.text, endMilliseconds: end.milliseconds)))
        while try !files.makePrivateFile(path, bytes) { try delete() }
    }

    package func take(at now: Instant) throws -> UserName? {
        // Only one process can rename the file.
        let taken = "\(path).\(getpid())"
        guard unsafe rename(path, taken) == 0 else {
            if errno == ENOENT || errno == ENOTDIR { return nil }
            throw Self.failure(path, errno)
        }
        defer { _ = unsafe unlink(taken) }
        let bytes = Data(try PosixFiles().read(taken, limit: 4_096))
        guard let offer = try? JSONDecoder().decode(Offer.self, from: bytes),
            now < Instant(milliseconds: offer.endMilliseconds)
        else { return nil }
        return UserName(offer.name)
    }

    private func delete() throws {
        guard unsafe unlink(path) == 0 || errno == ENOENT else { throw Self.failure(path, errno) }
    }

    private static func failure(_ path: String, _ code: Int32) -> SyncFailure {
        SyncFailure(
            .storage, subject: path, reason: "cannot be removed: \(SystemError.text(code))",
            advice: "check the permissions of the folder")
    }
}
