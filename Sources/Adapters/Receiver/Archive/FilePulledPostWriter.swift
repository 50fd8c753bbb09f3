import Foundation
import HealthSyncDomain
import HealthSyncPorts
import Synchronization

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
            close(state.descriptor)
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
            close(state.descriptor)
            state.descriptor = -1
        }
    }
}
