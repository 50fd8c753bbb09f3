import Foundation
import HealthSyncDomain
import HealthSyncPorts

/// Identifies a file without reading all of it: by size, modification time and a digest of both ends.
struct FileFingerprint {
    /// The number of digested bytes at each end.
    static let endLength = 64 << 10
    let hasher: any ContentHasher

    /// Returns the fingerprint of `file`.
    func fingerprint(of file: ReadableFile) throws -> SourceFingerprint {
        var ends = try file.bytes(at: 0, count: Self.endLength)
        ends += try file.bytes(at: max(0, file.size - Int64(Self.endLength)), count: Self.endLength)
        let digest = hasher.digest(ends)
        return SourceFingerprint(
            path: URL(fileURLWithPath: file.path).standardizedFileURL.path,
            content: "\(file.size) \(file.status.modified) \(HexDigits.text(digest.high, digest.low))")
    }
}
