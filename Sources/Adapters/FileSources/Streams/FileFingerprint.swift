import Foundation
import HealthSyncDomain
import HealthSyncPorts

/// Recognises a file without reading it: size, time of the last change and a digest of both its ends.
struct FileFingerprint {
    /// Bytes of each end that are digested.
    static let endLength = 64 << 10
    let hasher: any ContentHasher

    /// The fingerprint of `file`.
    func fingerprint(of file: ReadableFile) throws -> SourceFingerprint {
        var ends = try file.bytes(at: 0, count: Self.endLength)
        ends += try file.bytes(at: max(0, file.size - Int64(Self.endLength)), count: Self.endLength)
        let digest = hasher.digest(ends)
        return SourceFingerprint(
            path: URL(fileURLWithPath: file.path).standardizedFileURL.path,
            content: "\(file.size) \(file.status.modified) \(HexDigits.text(digest.high, digest.low))")
    }
}
