package import Foundation
import Synchronization

/// An error of the system: its `errno`.
package struct SystemError: Error, Hashable, Sendable {
    package let code: Int32

    package init(_ code: Int32) { self.code = code }

    /// The error of the call that just failed on this thread.
    package static var last: SystemError { SystemError(errno) }

    /// The system's message, such as `No space left on device`.
    package var text: String {
        unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { buffer in
            unsafe buffer.initialize(repeating: 0)
            guard let words = buffer.baseAddress, unsafe strerror_r(code, words, buffer.count) == 0 else {
                return "error \(code)"
            }
            return unsafe String(cString: words)
        }
    }

    /// Whether the disk or the user's part of it is full.
    package var isDiskFull: Bool { code == ENOSPC || code == EDQUOT }

    /// Whether a file, or a folder of its path, does not exist.
    package var isMissing: Bool { code == ENOENT || code == ENOTDIR }
}

/// The details of a file or folder.
package struct FileDetails: Sendable {
    private let details: stat

    fileprivate init(_ details: stat) { self.details = details }

    /// Reads the details of what is at `path`; of a link itself unless `followsLinks`.
    package init(of path: String, followsLinks: Bool = true) throws(SystemError) {
        var details = stat()
        let result = unsafe followsLinks ? stat(path, &details) : lstat(path, &details)
        guard result == 0 else { throw .last }
        self.details = details
    }

    /// Whether something is at `path`, even a link to nothing.
    package static func exist(_ path: String) -> Bool { (try? FileDetails(of: path, followsLinks: false)) != nil }

    /// Whether it is neither a folder nor a link, a pipe or a device.
    package var isRegular: Bool { details.st_mode & S_IFMT == S_IFREG }
    package var isFolder: Bool { details.st_mode & S_IFMT == S_IFDIR }
    /// The size in bytes.
    package var size: Int64 { Int64(details.st_size) }
    /// The permission bits, such as 0o600.
    package var permissions: UInt32 { UInt32(details.st_mode & 0o7777) }
    /// The time of the last change of the content, in seconds since 1970.
    package var modified: Int64 { Int64(details.st_mtim.tv_sec) }
    /// Whether a name leads to the file. An open file without one is deleted when it is closed.
    package var hasName: Bool { details.st_nlink > 0 }

    /// Returns whether both are the same file: another file at the same path is not.
    package func isSameFile(as other: FileDetails) -> Bool {
        details.st_dev == other.details.st_dev && details.st_ino == other.details.st_ino
    }
}

/// An open file or folder. It is closed once: by `close`, or with the last reference. Later calls fail with `EBADF`, so that
/// none reaches another file that has the same descriptor.
///
/// Contract: safe from any thread; one call at a time; calls block.
package final class OpenFile: Sendable {
    /// What happens if the file to create exists.
    package enum Existing: Sendable {
        case fail, open, truncate

        fileprivate var flags: Int32 {
            switch self {
            case .fail: O_EXCL
            case .open: 0
            case .truncate: O_TRUNC
            }
        }
    }

    private struct State {
        /// -1 after `close`.
        var descriptor: Int32
        var isLocked = false
    }

    private let state: Mutex<State>

    private init(_ path: String, _ flags: Int32, permissions: mode_t = 0) throws(SystemError) {
        let descriptor = unsafe open(path, flags | O_CLOEXEC, permissions)
        guard descriptor >= 0 else { throw .last }
        state = Mutex(State(descriptor: descriptor))
    }

    /// Opens a file or folder for reading.
    ///
    /// - Parameters:
    ///   - followsLinks: whether a link is followed; it is an error (`ELOOP`) otherwise.
    ///   - waits: whether to wait for the other end of a pipe, at the opening and for each piece. Otherwise a pipe has no
    ///     content, or reading it fails.
    package convenience init(
        reading path: String, followsLinks: Bool = true, waits: Bool = false
    ) throws(SystemError) {
        try self.init(path, O_RDONLY | (waits ? 0 : O_NONBLOCK) | (followsLinks ? 0 : O_NOFOLLOW))
    }

    /// Opens a file for appending, and creates it for its owner only (0600) if it does not exist. It may be a device.
    package convenience init(appendingTo path: String) throws(SystemError) {
        try self.init(path, O_WRONLY | O_APPEND | O_CREAT, permissions: 0o600)
    }

    /// Opens an existing file or device for writing from its start.
    package convenience init(writing path: String) throws(SystemError) {
        try self.init(path, O_WRONLY)
    }

    /// Opens what `descriptor`, such as that of standard output, is open for. Closing it leaves `descriptor` open.
    package init(duplicateOf descriptor: Int32) throws(SystemError) {
        let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, STDERR_FILENO + 1)
        guard copy >= 0 else { throw .last }
        state = Mutex(State(descriptor: copy))
    }

    /// Opens a folder; the current one if `path` is empty.
    package convenience init(folder path: String) throws(SystemError) {
        try self.init(path.isEmpty ? "." : path, O_RDONLY | O_DIRECTORY)
    }

    /// Opens an existing file for reading and writing. A link is an error (`ELOOP`).
    package convenience init(changing path: String) throws(SystemError) {
        try self.init(path, O_RDWR | O_NOFOLLOW | O_NONBLOCK)
    }

    /// Opens a file for reading and writing, and creates it for its owner only (0600) if it does not exist. A link is an
    /// error (`ELOOP`).
    package convenience init(creating path: String, ifExists existing: Existing) throws(SystemError) {
        try self.init(path, O_RDWR | O_CREAT | O_NOFOLLOW | existing.flags, permissions: 0o600)
    }

    deinit { try? close() }

    /// Calls `body` with the descriptor, which is valid until it returns. Throws `EBADF` after `close`.
    package func withDescriptor<Result>(_ body: (Int32) throws(SystemError) -> Result) throws(SystemError) -> Result {
        try state.withLock { state throws(SystemError) in
            guard state.descriptor >= 0 else { throw SystemError(EBADF) }
            return try body(state.descriptor)
        }
    }

    /// Closes the file and ends its lock. Safe to repeat.
    package func close() throws(SystemError) {
        try state.withLock { state throws(SystemError) in
            guard state.descriptor >= 0 else { return }
            // A child process that has not yet reached `exec` holds a copy of the descriptor, and with it the lock.
            if state.isLocked { flock(state.descriptor, LOCK_UN) }
            defer { state.descriptor = -1 }
            guard Foundation.close(state.descriptor) == 0 else { throw .last }
        }
    }

    /// Locks the file for this process until it is closed. Returns `false` if another opening of it has the lock.
    ///
    /// - Parameter isShared: whether others may have a shared lock at the same time.
    package func lock(isShared: Bool = false) throws(SystemError) -> Bool {
        try lock((isShared ? LOCK_SH : LOCK_EX) | LOCK_NB)
    }

    /// Locks the file for this process until it is closed. Waits while another opening of it has the lock.
    package func waitForLock() throws(SystemError) { _ = try lock(LOCK_EX) }

    private func lock(_ operation: Int32) throws(SystemError) -> Bool {
        try state.withLock { state throws(SystemError) in
            guard state.descriptor >= 0 else { throw SystemError(EBADF) }
            while flock(state.descriptor, operation) != 0 {
                let error = SystemError.last
                if error.code == EWOULDBLOCK { return false }
                guard error.code == EINTR else { throw error }
            }
            state.isLocked = true
            return true
        }
    }

    package func details() throws(SystemError) -> FileDetails {
        try withDescriptor { descriptor throws(SystemError) in
            var details = stat()
            guard unsafe fstat(descriptor, &details) == 0 else { throw .last }
            return FileDetails(details)
        }
    }

    /// Continues at the start of the file.
    package func rewind() throws(SystemError) {
        try withDescriptor { descriptor throws(SystemError) in
            guard lseek(descriptor, 0, SEEK_SET) == 0 else { throw .last }
        }
    }

    /// Reads up to `count` bytes at the position of the file; none at its end. A pipe may return fewer than it will have.
    package func read(upTo count: Int) throws(SystemError) -> [UInt8] {
        try withDescriptor { descriptor throws(SystemError) in
            var failure: SystemError?
            let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
                var result = -1
                repeat {
                    result = unsafe Foundation.read(descriptor, buffer.baseAddress, buffer.count)
                } while result < 0 && errno == EINTR
                if result < 0 { failure = .last }
                filled = max(0, result)
            }
            if let failure { throw failure }
            return bytes
        }
    }

    /// Reads the rest of the file; `nil` if it has more than `limit` bytes.
    package func readAll(limit: Int) throws(SystemError) -> [UInt8]? {
        var bytes: [UInt8] = []
        while bytes.count <= limit {
            let piece = try read(upTo: min(limit - bytes.count + 1, Self.pieceBytes))
            if piece.isEmpty { return bytes }
            bytes += piece
        }
        return nil
    }

    private static let pieceBytes = 64 << 10

    /// Writes all bytes at the position of the file.
    package func write(_ bytes: UnsafeRawBufferPointer) throws(SystemError) {
        try withDescriptor { descriptor throws(SystemError) in try unsafe DescriptorWriter.write(bytes, to: descriptor)
        }
    }

    /// Writes all bytes at the position of the file.
    package func write(_ bytes: some ContiguousBytes) throws(SystemError) {
        try unsafe bytes.withUnsafeBytes { buffer in
            Result { () throws(SystemError) in try unsafe write(buffer) }
        }.get()
    }

    /// Writes all bytes at `offset`.
    package func write(_ bytes: [UInt8], at offset: Int64) throws(SystemError) {
        try withDescriptor { descriptor throws(SystemError) in
            var written = 0
            while written < bytes.count {
                let count = unsafe bytes[written...].withUnsafeBytes { rest in
                    unsafe pwrite(descriptor, rest.baseAddress, rest.count, off_t(offset) + off_t(written))
                }
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { throw count < 0 ? .last : SystemError(EIO) }
                written += count
            }
        }
    }

    /// Sets the size to `bytes`.
    package func truncate(to bytes: Int64) throws(SystemError) {
        try withDescriptor { descriptor throws(SystemError) in
            guard ftruncate(descriptor, off_t(bytes)) == 0 else { throw .last }
        }
    }

    /// Makes the file readable for its owner only (0600), also if others could read it before.
    package func makePrivate() throws(SystemError) {
        try withDescriptor { descriptor throws(SystemError) in
            guard fchmod(descriptor, 0o600) == 0 else { throw .last }
        }
    }

    /// Makes the content durable; the names in it, if it is a folder.
    package func sync() throws(SystemError) {
        try withDescriptor { descriptor throws(SystemError) in
            guard fsync(descriptor) == 0 else { throw .last }
        }
    }
}

/// Writes complete byte arrays to a file descriptor, such as standard output.
package enum DescriptorWriter {
    /// Writes all of `bytes`. Waits if a nonblocking descriptor is not ready.
    package static func write(_ bytes: [UInt8], to descriptor: Int32) throws(SystemError) {
        try unsafe bytes.withUnsafeBytes { buffer in
            Result { () throws(SystemError) in try unsafe write(buffer, to: descriptor) }
        }.get()
    }

    /// Writes all of `bytes`. Waits if a nonblocking descriptor is not ready.
    package static func write(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) throws(SystemError) {
        var written = 0
        while written < bytes.count {
            let rest = unsafe UnsafeRawBufferPointer(rebasing: bytes[written...])
            let count = unsafe Foundation.write(descriptor, rest.baseAddress, rest.count)
            if count > 0 {
                written += count
                continue
            }
            switch count < 0 ? errno : EIO {
            case EINTR: continue
            case EAGAIN: waitUntilWritable(descriptor)
            case let code: throw SystemError(code)
            }
        }
    }

    private static func waitUntilWritable(_ descriptor: Int32) {
        var request = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        _ = unsafe poll(&request, 1, 1_000)
    }
}
