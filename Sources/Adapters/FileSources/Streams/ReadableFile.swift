import Foundation
import HealthSyncDomain
import HealthSyncPorts

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

/// The status of a file, with links followed. Equal as long as it is the same, unmodified file.
struct FileStatus: Hashable {
    let isRegular: Bool
    let isFolder: Bool
    /// The size in bytes.
    let size: Int64
    /// The modification time in nanoseconds since 1970. 64 bits cover only the years 1677 to 2262, and a file can have
    /// any time.
    let modified: Int128
    private let device: UInt64
    private let inode: UInt64

    /// Reads the status of the file at `path`. Throws `.noInput` if it does not exist or cannot be examined.
    init(path: String) throws(SyncFailure) {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else { throw Self.failure(path, "cannot be examined", errno) }
        self.init(status)
    }

    /// Reads the status of the file open at `descriptor`, which was opened at `path`.
    init(descriptor: Int32, path: String) throws(SyncFailure) {
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else { throw Self.failure(path, "cannot be examined", errno) }
        self.init(status)
    }

    private init(_ status: stat) {
        isRegular = status.st_mode & S_IFMT == S_IFREG
        isFolder = status.st_mode & S_IFMT == S_IFDIR
        size = Int64(status.st_size)
        #if canImport(Darwin)
            let time = status.st_mtimespec
        #else
            let time = status.st_mtim
        #endif
        modified = Int128(time.tv_sec) * 1_000_000_000 + Int128(time.tv_nsec)
        device = UInt64(truncatingIfNeeded: status.st_dev)
        inode = UInt64(truncatingIfNeeded: status.st_ino)
    }

    /// Returns a failure with `.noInput`; `code` is an `errno`.
    static func failure(_ path: String, _ what: String, _ code: Int32) -> SyncFailure {
        guard code != ENOENT else {
            return SyncFailure(.noInput, subject: path, reason: "no such file or folder", advice: "check the path")
        }
        return SyncFailure(
            .noInput, subject: path, reason: "\(what): \(unsafe String(cString: strerror(code)))",
            advice: "check that you have permission to read it")
    }
}

/// Identifies a file without reading all of it: by size, modification time and a digest of both ends.
struct FileFingerprint {
    /// The number of digested bytes at each end.
    private static let endLength = 64 << 10
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

/// A stream of bytes that one thread reads once, from start to end.
protocol ByteReader: AnyObject {
    /// Fills the nonempty `buffer` as far as the stream goes; returns 0 at the end.
    ///
    /// Throws `SyncFailure` if reading must not continue (a failing device, a decompression bomb).
    func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int
    /// The reason why the stream ended early; set once `read` has returned 0.
    var damage: StreamDamage? { get }
}

/// The reason why a stream of bytes ended early.
struct StreamDamage: Sendable, Hashable {
    /// The problem.
    let what: String
    /// Whether the bytes just before the end may already be wrong, as in a broken deflate stream.
    let taintsTail: Bool
}

/// A stream of the bytes of a file.
final class FileByteReader: ByteReader {
    private let file: ReadableFile
    private var offset: Int64 = 0

    /// Creates a stream of `file`.
    init(_ file: ReadableFile) { self.file = file }

    var damage: StreamDamage? { nil }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        let count = try unsafe file.read(at: offset, into: buffer)
        offset += Int64(count)
        return count
    }
}
