import Foundation
import HealthSyncDomain
import HealthSyncPorts
import Synchronization

/// A post that is being received into a temporary file.
///
/// The file is locked while its writer lives: an archive that opens deletes unlocked ones, which killed writers left.
final class FilePostWriter: InboxPostWriter {
    private struct State {
        /// -1 after `commit` or `discard`.
        var descriptor: Int32
        /// The bytes that count in the usage of the archive.
        var reserved: Int64 = 0
        /// The first bytes of the body, as received.
        var start: [UInt8] = []
    }

    private let archive: FileInboxArchive
    private let path: String
    private let head: InboxHead
    private let state: Mutex<State>

    /// The number of first bytes of a body that are kept in memory.
    private static let startBytes = 64 << 10

    /// Creates the temporary file `path` and writes the head.
    init(_ head: InboxHead, to path: String, in archive: FileInboxArchive) throws {
        guard PlausibleTime.contains(head.receivedAt) else {
            throw SyncFailure(
                .storage, subject: "inbox", reason: "the clock of this computer is not in the years 1900 to 2200",
                advice: "set the clock")
        }
        let line = try ArchivedHead(head).line()
        self.archive = archive
        self.path = path
        self.head = head
        let descriptor = try Self.create(path)
        archive.reached(.created)
        state = Mutex(State(descriptor: descriptor))
        do {
            try reserve(Int64(line.count) + InboxUsage.bytesPerPost)
            let code = unsafe line.withUnsafeBytes { unsafe ArchiveFiles.write($0, to: descriptor) }
            guard code == 0 else { throw ArchiveFiles.failure(path, code) }
        } catch {
            discard()
            throw error
        }
        archive.reached(.headWritten)
    }

    deinit { discard() }

    private static func create(_ path: String) throws(SyncFailure) -> Int32 {
        while true {
            let descriptor = unsafe open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
            guard descriptor >= 0 else { throw ArchiveFiles.failure(path, errno) }
            var details = stat()
            // An archive that opened between the two calls may have locked and deleted the file.
            if flock(descriptor, LOCK_EX | LOCK_NB) == 0, unsafe fstat(descriptor, &details) == 0, details.st_nlink > 0
            {
                return descriptor
            }
            close(descriptor)
        }
    }

    /// Counts bytes that are about to be written. Throws `.diskFull` if they exceed the quota.
    private func reserve(_ bytes: Int64) throws(SyncFailure) {
        guard let usage = archive.usage else { return }
        try usage.reserve(bytes)
        state.withLock { $0.reserved += bytes }
    }

    func append(_ bytes: UnsafeRawBufferPointer) throws {
        try reserve(Int64(bytes.count))
        try state.withLock { state in
            guard state.descriptor >= 0 else { throw ArchiveFiles.failure(path, EBADF) }
            let code = unsafe ArchiveFiles.write(bytes, to: state.descriptor)
            guard code == 0 else { throw ArchiveFiles.failure(path, code) }
            let room = Self.startBytes - state.start.count
            if room > 0 { unsafe state.start.append(contentsOf: bytes.prefix(room)) }
        }
        archive.reached(.bodyWritten)
    }

    func start() throws -> [UInt8] {
        let start = state.withLock { $0.start }
        switch ContentCoding(head.header("content-encoding")) {
        case .identity: return start
        case .unknown: return []
        case .gzip:
            let inflation = GzipInflation(limit: Self.startBytes)
            // A truncated or damaged body is recognized by what precedes the damage.
            try? inflation.append(start[...])
            return inflation.content
        }
    }

    func commit() async throws -> String {
        try await BlockingWork.run("healthsync.inbox") { [self] _ in
            do {
                return try publish()
            } catch {
                discard()
                throw error
            }
        }
    }

    private func publish() throws -> String {
        let descriptor = state.withLock { $0.descriptor }
        guard descriptor >= 0 else { throw ArchiveFiles.failure(path, EBADF) }
        guard fsync(descriptor) == 0 else { throw ArchiveFiles.failure(path, errno) }
        archive.reached(.synced)
        let id = try archive.publish(path, receivedAt: head.receivedAt)
        _ = state.withLock { state in
            defer { state.descriptor = -1 }
            return close(state.descriptor)
        }
        return id
    }

    func discard() {
        state.withLock { state in
            guard state.descriptor >= 0 else { return }
            unsafe unlink(path)
            close(state.descriptor)
            state.descriptor = -1
            archive.usage?.release(state.reserved)
        }
    }
}

/// A post that is being pulled into a temporary file, in its archived form. The file is locked while its writer lives.
final class FilePulledPostWriter: PulledPostWriter {
    private struct State {
        /// -1 after `commit` or `discard`.
        var descriptor: Int32
        var bytes = 0
    }

    private let id: String
    private let draft: String
    private let archive: FileInboxArchive
    private let state: Mutex<State>

    private static let largestBytes = FileInboxArchive.largestBody + ArchivedHead.longestLine

    /// - Parameter descriptor: of the empty file `draft`, which is locked.
    init(id: String, draft: String, descriptor: Int32, archive: FileInboxArchive) {
        self.id = id
        self.draft = draft
        self.archive = archive
        state = Mutex(State(descriptor: descriptor))
    }

    deinit { discard() }

    func append(_ bytes: UnsafeRawBufferPointer) throws {
        try state.withLock { state in
            guard state.descriptor >= 0 else { throw ArchiveFiles.failure(draft, EBADF) }
            guard bytes.count <= Self.largestBytes - state.bytes else {
                throw rejection("the post on the server is larger than the largest post")
            }
            let code = unsafe ArchiveFiles.write(bytes, to: state.descriptor)
            guard code == 0 else { throw ArchiveFiles.failure(draft, code) }
            state.bytes += bytes.count
        }
    }

    func commit() async throws -> Int64 {
        try await BlockingWork.run("healthsync.inbox") { [self] _ in
            do {
                return try publish()
            } catch {
                discard()
                throw error
            }
        }
    }

    private func publish() throws -> Int64 {
        let descriptor = state.withLock { $0.descriptor }
        guard descriptor >= 0 else { throw ArchiveFiles.failure(draft, EBADF) }
        let checked = try ArchivedBody(draft) { rejection("the post on the server is damaged: \($0)") }
        guard checked != nil else { throw ArchiveFiles.failure(draft, ENOENT) }
        guard fsync(descriptor) == 0 else { throw ArchiveFiles.failure(draft, errno) }
        try archive.publish(pulled: draft, as: id)
        return state.withLock { state in
            FileInboxArchive.closeUnlocked(state.descriptor)
            state.descriptor = -1
            return Int64(state.bytes)
        }
    }

    private func rejection(_ reason: String) -> SyncFailure {
        SyncFailure(
            .badInput, subject: id, reason: reason, advice: "it stays on the server; look at it there, and delete it")
    }

    func discard() {
        state.withLock { state in
            guard state.descriptor >= 0 else { return }
            unsafe unlink(draft)
            FileInboxArchive.closeUnlocked(state.descriptor)
            state.descriptor = -1
        }
    }
}
