import Foundation
import HealthSyncDomain
import HealthSyncPorts
import HealthSyncSupport
import Synchronization

/// A post that is being received into a temporary file.
///
/// The file is locked while its writer lives: an archive that opens deletes unlocked ones, which killed writers left.
final class FilePostWriter: InboxPostWriter {
    private struct State {
        /// Whether the file was published or deleted.
        var isOver = false
        /// The bytes that count in the usage of the archive.
        var reserved: Int64 = 0
        /// The first bytes of the body, as received.
        var start: [UInt8] = []
    }

    private let archive: FileInboxArchive
    private let path: String
    private let head: InboxHead
    private let file: OpenFile
    private let state = Mutex(State())

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
        // An archive that opens deletes files that are not locked.
        file = try ArchiveFiles.reporting(path) { () throws(SystemError) in try FileDraft.lockedFile(path) }
        archive.reached(.created)
        do {
            try reserve(Int64(line.count) + InboxUsage.bytesPerPost)
            try ArchiveFiles.reporting(path) { () throws(SystemError) in try file.write(line) }
        } catch {
            discard()
            throw error
        }
        archive.reached(.headWritten)
    }

    deinit { discard() }

    /// Counts bytes that are about to be written. Throws `.diskFull` if they exceed the quota.
    private func reserve(_ bytes: Int64) throws(SyncFailure) {
        guard let usage = archive.usage else { return }
        try usage.reserve(bytes)
        state.withLock { $0.reserved += bytes }
    }

    func append(_ bytes: UnsafeRawBufferPointer) throws {
        try reserve(Int64(bytes.count))
        try ArchiveFiles.reporting(path) { () throws(SystemError) in try unsafe file.write(bytes) }
        state.withLock { state in
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
        try ArchiveFiles.reporting(path) { () throws(SystemError) in try file.sync() }
        archive.reached(.synced)
        let id = try archive.publish(path, receivedAt: head.receivedAt)
        state.withLock { $0.isOver = true }
        try? file.close()
        return id
    }

    func discard() {
        state.withLock { state in
            guard !state.isOver else { return }
            state.isOver = true
            _ = try? FileSystem.delete(path)
            try? file.close()
            archive.usage?.release(state.reserved)
        }
    }
}

/// A post that is being pulled into a temporary file, in its archived form. The file is locked while its writer lives.
final class FilePulledPostWriter: PulledPostWriter {
    private struct State {
        /// Whether the file was published or deleted.
        var isOver = false
        var bytes = 0
    }

    private let id: String
    private let draft: String
    private let file: OpenFile
    private let archive: FileInboxArchive
    private let state = Mutex(State())

    private static let largestBytes = FileInboxArchive.largestBody + ArchivedHead.longestLine

    /// - Parameter file: the empty file `draft`, which is locked.
    init(id: String, draft: String, file: OpenFile, archive: FileInboxArchive) {
        self.id = id
        self.draft = draft
        self.file = file
        self.archive = archive
    }

    deinit { discard() }

    func append(_ bytes: UnsafeRawBufferPointer) throws {
        try state.withLock { state in
            guard bytes.count <= Self.largestBytes - state.bytes else {
                throw rejection("the post on the server is larger than the largest post")
            }
            try ArchiveFiles.reporting(draft) { () throws(SystemError) in try unsafe file.write(bytes) }
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
        let checked = try ArchivedBody(draft) { rejection("the post on the server is damaged: \($0)") }
        guard checked != nil else { throw ArchiveFiles.failure(draft, SystemError(ENOENT)) }
        try ArchiveFiles.reporting(draft) { () throws(SystemError) in try file.sync() }
        try archive.publish(pulled: draft, as: id)
        try? file.close()
        return state.withLock { state in
            state.isOver = true
            return Int64(state.bytes)
        }
    }

    private func rejection(_ reason: String) -> SyncFailure {
        SyncFailure(
            .badInput, subject: id, reason: reason, advice: "it stays on the server; look at it there, and delete it")
    }

    func discard() {
        state.withLock { state in
            guard !state.isOver else { return }
            state.isOver = true
            _ = try? FileSystem.delete(draft)
            try? file.close()
        }
    }
}
