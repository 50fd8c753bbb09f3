import Foundation
import HealthSyncDomain
package import HealthSyncPorts

/// Archiving the posts that this machine pulls from a server. An empty file in `pulled/` notes each post that the server
/// may not have deleted yet. It is durable before the post is, so that no post is imported twice.
extension FileInboxArchive: PulledPostArchive {
    private static let folderName = "pulled"

    package func begin(pulling id: String) throws -> (any PulledPostWriter)? {
        guard PostIDs.isID(id), PostIDs.isPlausible(id) else {
            throw SyncFailure(
                .badInput, subject: "inbox", reason: "the server names a post with an invalid id",
                advice: "check the address of the server and its version")
        }
        try prepare()
        let draft = "\(folder)/incoming/pulled-\(id)"
        let descriptor = try Self.lockedDraft(draft)
        // Under the lock: another process may have archived the post meanwhile.
        guard try !isArchived(id) else {
            unsafe unlink(draft)
            close(descriptor)
            return nil
        }
        return FilePulledPostWriter(id: id, draft: draft, descriptor: descriptor, archive: self)
    }

    /// Opens and locks the file of a post that is being pulled, empty.
    private static func lockedDraft(_ path: String) throws(SyncFailure) -> Int32 {
        while true {
            let descriptor = unsafe open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
            guard descriptor >= 0 else { throw ArchiveFiles.failure(path, errno) }
            guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
                close(descriptor)
                throw SyncFailure(
                    .busy, subject: "inbox", reason: "another process is pulling the same post",
                    advice: "wait until it has finished")
            }
            var own = stat()
            var named = stat()
            // Meanwhile the other process may have moved the file into the archive, where it must not be changed.
            if unsafe fstat(descriptor, &own) == 0, unsafe stat(path, &named) == 0, own.st_ino == named.st_ino {
                if ftruncate(descriptor, 0) == 0 { return descriptor }
                let code = errno
                close(descriptor)
                throw ArchiveFiles.failure(path, code)
            }
            close(descriptor)
        }
    }

    private func isArchived(_ id: String) throws -> Bool {
        do {
            _ = try located(id)
            return true
        } catch let failure where failure.code == .noInput {
            return false
        }
    }

    /// Makes a pulled post durable under its id.
    func publish(pulled draft: String, as id: String) throws {
        let marks = folder + "/" + Self.folderName
        try ArchiveFiles.makeFolder(marks)
        let mark = unsafe open(marks + "/" + id, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard mark >= 0 else { throw ArchiveFiles.failure(marks, errno) }
        close(mark)
        try ArchiveFiles.syncFolder(marks)
        let path = path(of: id, .waiting)
        guard unsafe rename(draft, path) == 0 else { throw ArchiveFiles.failure(path, errno) }
        try ArchiveFiles.syncFolder(folder + "/" + InboxEntry.State.waiting.rawValue)
    }

    package func unconfirmed() async throws -> [String] {
        try await BlockingWork.run("healthsync.inbox") { [self] _ in
            // A mark without its post is of a pull that ended before the post was archived.
            try unconfirmedNames().filter { try isArchived($0) }
        }
    }

    package func confirmed(_ ids: [String]) async throws {
        try await BlockingWork.run("healthsync.inbox") { [self] _ in
            for id in ids where PostIDs.isID(id) {
                let mark = "\(folder)/\(Self.folderName)/\(id)"
                guard unsafe unlink(mark) == 0 || errno == ENOENT else { throw ArchiveFiles.failure(mark, errno) }
            }
        }
    }

    /// Returns the ids that are noted.
    func unconfirmedNames() throws -> Set<String> {
        var names: Set<String> = []
        try ArchiveFiles.forEachName(in: folder + "/" + Self.folderName) { names.insert($0) }
        return names
    }
}
