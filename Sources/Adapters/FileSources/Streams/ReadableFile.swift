import Foundation
import HealthSyncDomain

/// A regular file opened for reading at offsets.
///
/// The file is read and not mapped: truncating a mapped file kills the process (SIGBUS), and its pages count as the
/// process's memory.
final class ReadableFile: Sendable {
    /// The path as opened.
    let path: String
    /// The status at opening.
    let status: FileStatus
    private let descriptor: Int32

    /// The size in bytes at opening.
    var size: Int64 { status.size }

    /// Opens the file at `path`.
    ///
    /// Throws `.noInput` if it does not exist or is not readable, `.badInput` if it is not a regular file.
    init(path: String) throws(SyncFailure) {
        // Without O_NONBLOCK, opening a named pipe would wait forever for a writer.
        let descriptor = unsafe open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { throw FileStatus.failure(path, "cannot be opened", errno) }
        do throws(SyncFailure) {
            let status = try FileStatus(descriptor: descriptor, path: path)
            guard status.isRegular else {
                throw SyncFailure(
                    .badInput, subject: path, reason: "not a regular file", advice: "specify a file or a folder")
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

    /// Fills `buffer` from `offset` as far as the file goes and returns the number of bytes.
    ///
    /// Throws `.noInput` if the device fails.
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

    /// Returns `count` bytes from `offset`, fewer at the end of the file.
    func bytes(at offset: Int64, count: Int) throws -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: max(0, min(count, Int(clamping: size - offset))))
        let filled = try unsafe bytes.withUnsafeMutableBytes { try unsafe read(at: offset, into: $0) }
        bytes.removeLast(bytes.count - filled)
        return bytes
    }
}
