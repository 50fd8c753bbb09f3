import Foundation
import HealthSyncDomain
import HealthSyncPorts
import Synchronization

/// The posts of a server's user, which wait until another machine has pulled them.
extension FileInboxArchive {
    /// Returns up to `limit` posts that wait and whose ids follow `id`, in order.
    func waiting(after id: String?, limit: Int) async throws -> [WaitingPost] {
        try await BlockingWork.run("healthsync.inbox") { [self] _ in
            var ids = SmallestNames(limit: limit)
            try forEachID(in: .waiting) { name in
                if PostIDs.isID(name), id.map({ $0 < name }) ?? true { ids.add(name) }
            }
            return ids.sorted().map { WaitingPost(id: $0, bytes: ArchiveFiles.size(path(of: $0, .waiting))) }
        }
    }

    /// Opens the archived form of a post that waits; returns `nil` if it does not wait.
    func contents(of id: String) async throws -> ArchivedContents? {
        guard PostIDs.isID(id) else { return nil }
        return try await BlockingWork.run("healthsync.inbox") { [self] _ in
            let path = path(of: id, .waiting)
            let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
            if descriptor < 0, errno == ENOENT { return nil }
            guard descriptor >= 0 else { throw ArchiveFiles.failure(path, errno) }
            return ArchivedContents(descriptor: descriptor, path: path)
        }
    }

    /// Deletes posts that wait, durably, and returns how many. Ids that do not exist are ignored.
    func remove(_ ids: [String]) async throws -> Int {
        try await BlockingWork.run("healthsync.inbox") { [self] _ in
            // So that the usage is known.
            try prepare()
            var removed = 0
            for id in ids where PostIDs.isID(id) {
                let path = path(of: id, .waiting)
                let bytes = ArchiveFiles.size(path)
                guard unsafe unlink(path) == 0 else {
                    guard errno == ENOENT else { throw ArchiveFiles.failure(path, errno) }
                    continue
                }
                usage?.removed(bytes: bytes)
                removed += 1
            }
            if removed > 0 { try ArchiveFiles.syncFolder("\(folder)/\(InboxEntry.State.waiting.rawValue)") }
            return removed
        }
    }
}

/// The archived form of a post: the line with its head, then its body. It can be read after the post was deleted.
final class ArchivedContents: BodyStream {
    private let descriptor: Mutex<Int32>
    private let path: String

    private static let pieceBytes = 256 << 10

    init(descriptor: Int32, path: String) {
        self.descriptor = Mutex(descriptor)
        self.path = path
    }

    deinit { _ = descriptor.withLock { close($0) } }

    /// Returns the next piece; `nil` at the end.
    func next() async throws -> [UInt8]? {
        try await BlockingWork.run("healthsync.inbox") { [self] _ in
            let piece = try descriptor.withLock { descriptor throws(SyncFailure) in
                try ArchiveFiles.piece(of: descriptor, path, bytes: Self.pieceBytes)
            }
            return piece.isEmpty ? nil : piece
        }
    }
}
