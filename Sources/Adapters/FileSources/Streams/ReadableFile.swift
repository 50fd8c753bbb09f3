import Foundation
import HealthSyncDomain

/// A regular file held open for reading by offset.
///
/// Read and not mapped: a mapped file that somebody cuts short kills the process (SIGBUS), and its pages count as the
/// process's memory.
final class ReadableFile: Sendable {
    /// The path as it was opened.
    let path: String
    /// What it was at opening.
    let status: FileStatus
    private let descriptor: Int32

    /// Size in bytes at opening.
    var size: Int64 { status.size }

    /// Opens the file at `path`.
    ///
    /// Throws `.noInput` when it is missing or may not be read, `.badInput` when it is not a regular file.
    init(path: String) throws(SyncFailure) {
        // Without O_NONBLOCK, opening a named pipe would wait for a writer for ever.
        let descriptor = unsafe open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { throw FileStatus.failure(path, "cannot be opened", errno) }
        do throws(SyncFailure) {
            let status = try FileStatus(descriptor: descriptor, path: path)
            guard status.isRegular else {
                throw SyncFailure(
                    .badInput, subject: path, reason: "it is not a regular file", advice: "name a file or a folder")
            }
            self.path = path
            self.descriptor = descriptor
            self.status = status
        } catch {
            close(descriptor)
            throw error
        }
    }

    deinit { close(descriptor) }

    /// Fills `buffer` from `offset` on as far as the file goes and returns the number of bytes.
    ///
    /// Throws `.noInput` when the device fails.
    func read(at offset: Int64, into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        var filled = 0
        while filled < buffer.count, let base = buffer.baseAddress {
            let count = unsafe pread(descriptor, base + filled, buffer.count - filled, off_t(offset + Int64(filled)))
            if count < 0 {
                if errno == EINTR { continue }
                throw FileStatus.failure(path, "cannot be read", errno)
            }
            if count == 0 { break }
            filled += count
        }
        return filled
    }

    /// The first `count` bytes from `offset` on, fewer at the end of the file.
    func bytes(at offset: Int64, count: Int) throws -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: max(0, min(count, Int(clamping: size - offset))))
        let filled = try unsafe bytes.withUnsafeMutableBytes { try unsafe read(at: offset, into: $0) }
        bytes.removeLast(bytes.count - filled)
        return bytes
    }
}
