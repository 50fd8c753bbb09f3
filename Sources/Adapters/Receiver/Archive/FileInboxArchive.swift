import Foundation
import HealthSyncDomain
package import HealthSyncPorts
import Synchronization

/// The archive of the inbox in a folder, one file for each post.
///
/// A post is received into `incoming/`. `commit` makes the file durable, moves it to `waiting/` and makes that durable:
/// the file is there entirely or not at all. When it was decoded, it moves to `decoded/` or `undecoded/`, next to its
/// outcome. It is in this target because it shares the decompression of bodies with the receiving server.
package final class FileInboxArchive: InboxArchive {
    /// The steps of archiving a post, after each of which the program may be killed.
    package enum Step: Sendable, CaseIterable {
        case created, headWritten, bodyWritten, synced, named, folderSynced
    }

    private struct State {
        var ids: PostIDs?
        var drafts = 0
    }

    /// The maximum size of a decompressed body in bytes.
    package static let largestBody = 64 << 20
    private static let outcomeSuffix = ".outcome"

    let folder: String
    private let limit: Int
    /// What the posts take; `nil` without a quota.
    let usage: InboxUsage?
    private let observe: (@Sendable (Step) -> Void)?
    private let state = Mutex(State())

    /// Uses the archive in `folder`, which is created for the first post.
    ///
    /// - Parameters:
    ///   - limit: the maximum size of a decompressed body in bytes.
    ///   - quota: the maximum size of all posts in bytes; `nil` for no maximum. Only one process may use the folder
    ///     then.
    ///   - observe: called after each step, for tests.
    package init(
        folder: String, limit: Int = FileInboxArchive.largestBody, quota: Int64? = nil,
        observe: (@Sendable (Step) -> Void)? = nil
    ) {
        self.folder = folder
        self.limit = limit
        usage = quota.map { InboxUsage(quota: $0) }
        self.observe = observe
    }

    func reached(_ step: Step) { observe?(step) }

    /// Creates the folders and deletes what killed writers left. The first post does this too; a server calls it when it
    /// starts, so that a problem is reported then.
    ///
    /// - Throws: `SyncFailure` with `.storage` or `.diskFull`.
    package func prepare() throws {
        try state.withLock { try prepare(&$0) }
    }

    private func prepare(_ state: inout State) throws {
        // A restore replaces the folder while this process runs, and a backup contains no folder of incoming posts.
        guard state.ids == nil || !ArchiveFiles.exists(folder + "/incoming") else { return }
        for name in InboxEntry.State.allCases.map(\.rawValue) + ["incoming"] {
            try ArchiveFiles.makeFolder(folder + "/" + name)
        }
        guard state.ids == nil else { return }
        var leftovers: [String] = []
        try ArchiveFiles.forEachName(in: folder + "/incoming") { leftovers.append($0) }
        for name in leftovers { Self.deleteIfUnused(folder + "/incoming/" + name) }
        var last: String?
        for state in InboxEntry.State.allCases {
            try forEachID(in: state) { id in
                // An id in the distant future would leave no time for those that follow.
                if PostIDs.isPlausible(id), last.map({ $0 < id }) ?? true { last = id }
                usage?.found(bytes: ArchiveFiles.size(path(of: id, state)))
            }
        }
        state.ids = PostIDs(after: last)
    }

    private static func deleteIfUnused(_ path: String) {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else { return }
        // The lock of a writer ends with its process.
        if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { unsafe unlink(path) }
        close(descriptor)
    }

    package func begin(_ head: InboxHead) throws -> any InboxPostWriter {
        let draft = try state.withLock { state in
            try prepare(&state)
            state.drafts += 1
            return "\(folder)/incoming/\(getpid())-\(state.drafts)"
        }
        return try FilePostWriter(head, to: draft, in: self)
    }

    /// Moves the finished file `draft` to the waiting posts and returns its id.
    func publish(_ draft: String, receivedAt instant: Instant) throws -> String {
        let id = try state.withLock { state in
            try prepare(&state)
            guard let id = state.ids?.next(at: instant) else { throw ArchiveFiles.failure(folder, EIO) }
            return id
        }
        let path = path(of: id, .waiting)
        guard unsafe rename(draft, path) == 0 else { throw ArchiveFiles.failure(path, errno) }
        reached(.named)
        do {
            try ArchiveFiles.syncFolder(folder + "/" + InboxEntry.State.waiting.rawValue)
        } catch {
            // The sender gets an error and sends the post again.
            unsafe unlink(path)
            throw error
        }
        reached(.folderSynced)
        usage?.published()
        return id
    }

    package func waiting(limit: Int) async throws -> [String] {
        try await BlockingWork.run("healthsync.inbox") { [self] _ in
            var ids = SmallestNames(limit: limit)
            try forEachID(in: .waiting) { ids.add($0) }
            return ids.sorted()
        }
    }

    package func post(_ id: String) async throws -> InboxPost {
        try await BlockingWork.run("healthsync.inbox") { [self] _ in
            guard let file = try ArchivedBody(located(id).path, id: id) else { throw Self.unknown(id) }
            let head = file.head
            return InboxPost(id: id, head: head, body: try file.content(id: id, limit: limit))
        }
    }

    package func body(_ id: String, limit: Int) async throws -> [UInt8] {
        try await BlockingWork.run("healthsync.inbox") { [self] _ in
            guard let file = try ArchivedBody(located(id).path, id: id) else { throw Self.unknown(id) }
            return try file.content(id: id, limit: limit)
        }
    }

    package func settle(_ id: String, as outcome: InboxOutcome) async throws {
        try await BlockingWork.run("healthsync.inbox") { [self] _ in
            let place = try located(id)
            let target: InboxEntry.State = outcome.isDecoded ? .decoded : .undecoded
            try writeOutcome(outcome, of: id, target)
            guard place.state != target else { return }
            try move(id, from: place, to: target)
        }
    }

    package func retry(_ id: String) async throws {
        try await BlockingWork.run("healthsync.inbox") { [self] _ in
            let place = try located(id)
            if place.state != .waiting { try move(id, from: place, to: .waiting) }
        }
    }

    private func move(
        _ id: String, from place: (state: InboxEntry.State, path: String), to target: InboxEntry.State
    )
        throws
    {
        guard unsafe rename(place.path, path(of: id, target)) == 0 else {
            throw ArchiveFiles.failure(place.path, errno)
        }
        if place.state != .waiting { unsafe unlink(place.path + Self.outcomeSuffix) }
    }

    private func writeOutcome(_ outcome: InboxOutcome, of id: String, _ target: InboxEntry.State) throws {
        let path = path(of: id, target) + Self.outcomeSuffix
        // Hidden from listings. If a killed program leaves it, the post still waits, and the next attempt replaces it.
        let draft = "\(folder)/\(target.rawValue)/.\(id)"
        let bytes = [UInt8](try JSONEncoder().encode(outcome))
        let descriptor = unsafe open(draft, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw ArchiveFiles.failure(path, errno) }
        var code = unsafe bytes.withUnsafeBytes { unsafe ArchiveFiles.write($0, to: descriptor) }
        close(descriptor)
        if code == 0, unsafe rename(draft, path) != 0 { code = errno }
        guard code == 0 else {
            unsafe unlink(draft)
            throw ArchiveFiles.failure(path, code)
        }
    }

    func path(of id: String, _ state: InboxEntry.State) -> String { "\(folder)/\(state.rawValue)/\(id)" }

    /// Returns the state and the path of a post. Throws `.noInput` if it does not exist.
    func located(_ id: String) throws(SyncFailure) -> (state: InboxEntry.State, path: String) {
        guard PostIDs.isID(id) else { throw Self.unknown(id) }
        for state in InboxEntry.State.allCases where ArchiveFiles.exists(path(of: id, state)) {
            return (state, path(of: id, state))
        }
        throw Self.unknown(id)
    }

    static func unknown(_ id: String) -> SyncFailure {
        SyncFailure(.noInput, subject: id, reason: "no such post", advice: "see `healthsync inbox list`")
    }

    /// Calls `body` with the id of every post in `state`, in any order.
    func forEachID(in state: InboxEntry.State, _ body: (String) -> Void) throws {
        try ArchiveFiles.forEachName(in: "\(folder)/\(state.rawValue)") { name in
            // Other files are not of this program, and outcomes have another ending.
            if PostIDs.isID(name) { body(name) }
        }
    }

    /// Returns the outcome of a post, or `nil` if it does not exist or is damaged, as by a power failure.
    func outcome(of id: String, _ state: InboxEntry.State) -> InboxOutcome? {
        guard state != .waiting,
            let bytes = ArchiveFiles.content(path(of: id, state) + Self.outcomeSuffix, limit: Self.longestOutcome)
        else { return nil }
        return try? JSONDecoder().decode(InboxOutcome.self, from: Data(bytes))
    }

    /// The longest outcome that is read, in bytes.
    private static let longestOutcome = 64 << 10

    /// Deletes a post and its outcome.
    func delete(_ id: String, _ state: InboxEntry.State) throws(SyncFailure) {
        let path = path(of: id, state)
        guard unsafe unlink(path) == 0 || errno == ENOENT else { throw ArchiveFiles.failure(path, errno) }
        unsafe unlink(path + Self.outcomeSuffix)
    }
}
