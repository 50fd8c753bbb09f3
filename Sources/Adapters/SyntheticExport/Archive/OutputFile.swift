import Foundation
import HealthSyncDomain

/// A file that is written atomically: under a temporary name in the same folder, then renamed.
struct OutputFile {
    let path: String

    /// Writes the pieces from `next` until it returns `nil`. Errors of `next` are rethrown; failures of the file are
    /// `SyncFailure` with `.cannotCreate`. In both cases no new file remains.
    func write(_ next: () throws -> [UInt8]?) throws {
        let temporary = path + ".partial"
        let descriptor = unsafe open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw failure(errno) }
        do {
            while let piece = try next() { try append(piece, to: descriptor) }
            guard fsync(descriptor) == 0 else { throw failure(errno) }
        } catch {
            close(descriptor)
            unsafe unlink(temporary)
            throw error
        }
        guard close(descriptor) == 0, unsafe rename(temporary, path) == 0 else {
            let reason = errno
            unsafe unlink(temporary)
            throw failure(reason)
        }
    }

    private func append(_ piece: [UInt8], to descriptor: Int32) throws {
        var rest = piece[...]
        while !rest.isEmpty {
            let written = unsafe rest.withUnsafeBytes { unsafe Foundation.write(descriptor, $0.baseAddress, $0.count) }
            if written < 0, errno == EINTR { continue }
            guard written > 0 else { throw failure(errno) }
            rest = rest.dropFirst(written)
        }
    }

    private func failure(_ code: Int32) -> SyncFailure {
        Self.failure(path, reason: unsafe String(cString: strerror(code)))
    }

    static func failure(_ path: String, reason: String) -> SyncFailure {
        SyncFailure(
            .cannotCreate, subject: path, reason: "cannot be written: \(reason)",
            advice: "choose a file in an existing, writable folder with free space")
    }
}
