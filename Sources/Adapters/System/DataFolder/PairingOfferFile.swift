import Foundation
package import HealthSyncDomain
import HealthSyncPorts
import HealthSyncSupport

/// The pairing offer as a file in the data folder, visible to every process.
package struct PairingOfferFile: PairingOffers {
    private struct StoredOffer: Codable {
        struct StoredClaim: Codable {
            var code: String
            var name: String?
            var address: String
            var askedAtMilliseconds: Int64
            var isConfirmed: Bool
        }

        var name: String
        var endMilliseconds: Int64
        var claims: [StoredClaim]
    }

    private let folder: String
    private let path: String
    /// Larger than any offer.
    private static let largestFile = 64 << 10

    /// Creates the offer of the data folder `folder`.
    package init(folder: String) {
        self.folder = folder
        path = (folder as NSString).appendingPathComponent("healthsync.pairing")
    }

    package func current() throws -> PairingOffer? {
        let files = PosixFiles()
        guard try files.status(of: path) != nil else { return nil }
        let bytes = Data(try files.read(path, limit: Self.largestFile))
        // A damaged offer, or one of an earlier version, which had no codes, does not count.
        return (try? JSONDecoder().decode(StoredOffer.self, from: bytes)).flatMap(Self.offer)
    }

    package func change<Result>(_ body: (inout PairingOffer?) throws -> Result) throws -> Result {
        let files = PosixFiles()
        try files.makePrivateFolder(folder)
        // The file is replaced by each change, so its folder is locked.
        let lock: OpenFile
        do throws(SystemError) {
            lock = try OpenFile(folder: folder)
            try lock.waitForLock()
        } catch {
            throw Self.failure(folder, error)
        }
        defer { try? lock.close() }
        let former = try current()
        var offer = former
        let result = try body(&offer)
        guard let offer else {
            try files.deleteFile(path)
            return result
        }
        if offer != former {
            try files.replacePrivateFile(path, [UInt8](try JSONEncoder().encode(Self.stored(offer))))
        }
        return result
    }

    private static func offer(_ stored: StoredOffer) -> PairingOffer? {
        let times = [stored.endMilliseconds] + stored.claims.map(\.askedAtMilliseconds)
        guard let device = UserName(stored.name),
            times.allSatisfy({ PlausibleTime.contains(Instant(milliseconds: $0)) })
        else { return nil }
        return PairingOffer(
            device: device, end: Instant(milliseconds: stored.endMilliseconds),
            claims: stored.claims.map { claim in
                PairingOffer.Claim(
                    code: claim.code, statedName: claim.name.flatMap { TokenName(stated: $0) }, address: claim.address,
                    askedAt: Instant(milliseconds: claim.askedAtMilliseconds), isConfirmed: claim.isConfirmed)
            })
    }

    private static func stored(_ offer: PairingOffer) -> StoredOffer {
        StoredOffer(
            name: offer.device.text, endMilliseconds: offer.end.milliseconds,
            claims: offer.claims.map { claim in
                StoredOffer.StoredClaim(
                    code: claim.code, name: claim.statedName?.text, address: claim.address,
                    askedAtMilliseconds: claim.askedAt.milliseconds, isConfirmed: claim.isConfirmed)
            })
    }

    private static func failure(_ path: String, _ error: SystemError) -> SyncFailure {
        SyncFailure(
            .storage, subject: path, reason: "cannot be locked: \(error.text)",
            advice: "check the permissions of the folder")
    }
}
