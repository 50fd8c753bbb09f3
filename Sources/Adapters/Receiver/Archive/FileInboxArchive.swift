import Foundation
package import HealthSyncDomain
package import HealthSyncPorts
import HealthSyncSupport
import Synchronization

/// The archive of the inbox in a folder, one file for each post.
///
/// A post is received into `incoming/`. `commit` makes the file durable, moves it to `waiting/` and makes that durable:
/// the file is there entirely or not at all. When it was decoded, it moves to `decoded/` or `undecoded/`, next to its
/// outcome.
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

    private let folder: String
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
        guard state.ids == nil || !FileDetails.exist(folder + "/incoming") else { return }
        for name in InboxEntry.State.allCases.map(\.rawValue) + ["incoming"] {
            try makeFolder(folder + "/" + name)
        }
        guard state.ids == nil else { return }
        var leftovers: [String] = []
        try forEachName(in: folder + "/incoming") { leftovers.append($0) }
        // The lock of a writer ends with its process.
        for name in leftovers { FileDraft.removeIfAbandoned(folder + "/incoming/" + name) }
        var last: String?
        for state in InboxEntry.State.allCases {
            try forEachID(in: state) { id in
                // An id in the distant future would leave no time for those that follow.
                if PostIDs.isPlausible(id), last.map({ $0 < id }) ?? true { last = id }
                usage?.found(bytes: FileSystem.size(of: path(of: id, state)))
            }
        }
        state.ids = PostIDs(after: last)
    }

    private func makeFolder(_ path: String) throws(SyncFailure) {
        try ArchiveFiles.reporting(path) { () throws(SystemError) in try FileSystem.makeFolder(path) }
    }

    private func syncFolder(_ path: String) throws(SyncFailure) {
        try ArchiveFiles.reporting(path) { () throws(SystemError) in try FileSystem.syncFolder(path) }
    }

    private func forEachName(in folder: String, _ body: (String) -> Void) throws(SyncFailure) {
        try ArchiveFiles.reporting(folder) { () throws(SystemError) in try FileSystem.forEachName(in: folder, body) }
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
            guard let id = state.ids?.next(at: instant) else { throw ArchiveFiles.failure(folder, SystemError(EIO)) }
            return id
        }
        let path = path(of: id, .waiting)
        try ArchiveFiles.reporting(path) { () throws(SystemError) in try FileSystem.move(draft, to: path) }
        reached(.named)
        do {
            try syncFolder(folder + "/" + InboxEntry.State.waiting.rawValue)
        } catch {
            // The sender gets an error and sends the post again.
            _ = try? FileSystem.delete(path)
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
        let (former, path) = (place.path, path(of: id, target))
        try ArchiveFiles.reporting(former) { () throws(SystemError) in try FileSystem.move(former, to: path) }
        if place.state != .waiting { _ = try? FileSystem.delete(former + Self.outcomeSuffix) }
    }

    private func writeOutcome(_ outcome: InboxOutcome, of id: String, _ target: InboxEntry.State) throws {
        let path = path(of: id, target) + Self.outcomeSuffix
        // Hidden from listings. If a killed program leaves it, the post still waits, and the next attempt replaces it.
        let draft = "\(folder)/\(target.rawValue)/.\(id)"
        let bytes = [UInt8](try JSONEncoder().encode(outcome))
        // A post whose outcome is damaged stays as it is.
        try ArchiveFiles.reporting(path) { () throws(SystemError) in
            try FileSystem.replaceBriefly(path, through: draft, with: bytes)
        }
    }

    private func path(of id: String, _ state: InboxEntry.State) -> String { "\(folder)/\(state.rawValue)/\(id)" }

    /// Returns the state and the path of a post. Throws `.noInput` if it does not exist.
    private func located(_ id: String) throws(SyncFailure) -> (state: InboxEntry.State, path: String) {
        guard PostIDs.isID(id) else { throw Self.unknown(id) }
        for state in InboxEntry.State.allCases where FileDetails.exist(path(of: id, state)) {
            return (state, path(of: id, state))
        }
        throw Self.unknown(id)
    }

    private static func unknown(_ id: String) -> SyncFailure {
        SyncFailure(.noInput, subject: id, reason: "no such post", advice: "see `healthsync inbox list`")
    }

    /// Calls `body` with the id of every post in `state`, in any order.
    private func forEachID(in state: InboxEntry.State, _ body: (String) -> Void) throws {
        try forEachName(in: "\(folder)/\(state.rawValue)") { name in
            // Other files are not of this program, and outcomes have another ending.
            if PostIDs.isID(name) { body(name) }
        }
    }

    /// Returns the outcome of a post, or `nil` if it does not exist or is damaged, as by a power failure.
    private func outcome(of id: String, _ state: InboxEntry.State) -> InboxOutcome? {
        guard state != .waiting,
            let bytes = ArchiveFiles.content(path(of: id, state) + Self.outcomeSuffix, limit: Self.longestOutcome)
        else { return nil }
        return try? JSONDecoder().decode(InboxOutcome.self, from: Data(bytes))
    }

    /// The longest outcome that is read, in bytes.
    private static let longestOutcome = 64 << 10

    /// Deletes a post and its outcome.
    private func delete(_ id: String, _ state: InboxEntry.State) throws(SyncFailure) {
        let path = path(of: id, state)
        try ArchiveFiles.reporting(path) { () throws(SystemError) in try FileSystem.delete(path) }
        _ = try? FileSystem.delete(path + Self.outcomeSuffix)
    }
}

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
        let file = try Self.lockedDraft(draft)
        // Under the lock: another process may have archived the post meanwhile.
        guard try !isArchived(id) else {
            _ = try? FileSystem.delete(draft)
            return nil
        }
        return FilePulledPostWriter(id: id, draft: draft, file: file, archive: self)
    }

    /// Opens and locks the file of a post that is being pulled, empty.
    private static func lockedDraft(_ path: String) throws(SyncFailure) -> OpenFile {
        while true {
            let file = try ArchiveFiles.reporting(path) { () throws(SystemError) in
                try OpenFile(creating: path, ifExists: .open)
            }
            let isLocked = try ArchiveFiles.reporting(path) { () throws(SystemError) in try file.lock() }
            guard isLocked else {
                throw SyncFailure(
                    .busy, subject: "inbox", reason: "another process is pulling the same post",
                    advice: "wait until it has finished")
            }
            // Meanwhile the other process may have moved the file into the archive, where it must not be changed.
            if let own = try? file.details(), let named = try? FileDetails(of: path), own.isSameFile(as: named) {
                try ArchiveFiles.reporting(path) { () throws(SystemError) in try file.truncate(to: 0) }
                return file
            }
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
        try makeFolder(marks)
        try ArchiveFiles.reporting(marks) { () throws(SystemError) in
            try OpenFile(creating: marks + "/" + id, ifExists: .open).close()
        }
        try syncFolder(marks)
        let path = path(of: id, .waiting)
        try ArchiveFiles.reporting(path) { () throws(SystemError) in try FileSystem.move(draft, to: path) }
        try syncFolder(folder + "/" + InboxEntry.State.waiting.rawValue)
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
                try ArchiveFiles.reporting(mark) { () throws(SystemError) in try FileSystem.delete(mark) }
            }
        }
    }

    /// Returns the ids that are noted.
    private func unconfirmedNames() throws -> Set<String> {
        var names: Set<String> = []
        try forEachName(in: folder + "/" + Self.folderName) { names.insert($0) }
        return names
    }
}

/// Listing and deleting posts.
extension FileInboxArchive {
    package func entries(limit: Int) async throws -> [InboxEntry] {
        try await BlockingWork.run("healthsync.inbox") { [self] _ in
            var ids = SmallestNames(limit: limit, largest: true)
            for state in InboxEntry.State.allCases {
                try forEachID(in: state) { ids.add($0) }
            }
            return ids.sorted().compactMap { id in (try? located(id)).flatMap { entry(id, $0) } }
        }
    }

    package func entry(_ id: String) async throws -> InboxEntry {
        try await BlockingWork.run("healthsync.inbox") { [self] _ in
            guard let entry = entry(id, try located(id)) else { throw Self.unknown(id) }
            return entry
        }
    }

    /// Returns the entry of a post; `nil` if it was moved or deleted meanwhile.
    private func entry(_ id: String, _ place: (state: InboxEntry.State, path: String)) -> InboxEntry? {
        let outcome = outcome(of: id, place.state)
        do {
            guard let file = try ArchivedBody(place.path, id: id) else { return nil }
            return InboxEntry(id: id, head: file.head, bytes: file.bytes, state: place.state, outcome: outcome)
        } catch {
            let received = PostIDs.instant(id) ?? Instant(milliseconds: 0)
            var entry = InboxEntry(
                id: id, head: InboxHead(method: "", path: [], device: "", receivedAt: received),
                bytes: FileSystem.size(of: place.path), state: place.state, outcome: outcome)
            entry.damage = (error as? SyncFailure) ?? ArchiveFiles.failure(place.path, SystemError(EIO))
            return entry
        }
    }

    package func counts() async throws -> [InboxEntry.State: Int] {
        try await BlockingWork.run("healthsync.inbox") { [self] _ in
            var counts: [InboxEntry.State: Int] = [:]
            for state in InboxEntry.State.allCases {
                counts[state] = 0
                try forEachID(in: state) { _ in counts[state, default: 0] += 1 }
            }
            return counts
        }
    }

    package func prune(before instant: Instant, bytes: Int64) async throws -> Int {
        try await BlockingWork.run("healthsync.inbox") { [self] flag in
            var deleted = 0
            var total: Int64 = 0
            // A server may offer them again. Without the post, it would be imported again.
            let unconfirmed = try unconfirmedNames()
            var kept: [InboxEntry.State: [(id: String, bytes: Int64)]] = [:]
            for state in InboxEntry.State.allCases {
                var ids: [String] = []
                try forEachID(in: state) { ids.append($0) }
                for id in ids.sorted() where !unconfirmed.contains(id) {
                    if state != .waiting, let received = PostIDs.instant(id), received < instant {
                        try delete(id, state)
                        deleted += 1
                    } else {
                        let size = FileSystem.size(of: path(of: id, state))
                        total += size
                        kept[state, default: []].append((id, size))
                    }
                }
            }
            for state in [InboxEntry.State.decoded, .undecoded] {
                for post in kept[state, default: []] where total > bytes {
                    try flag.check()
                    try delete(post.id, state)
                    total -= post.bytes
                    deleted += 1
                }
            }
            return deleted
        }
    }
}

/// The smallest of many names, or the largest.
private struct SmallestNames {
    private let limit: Int
    private let isBefore: (String, String) -> Bool
    private var names: [String] = []

    init(limit: Int, largest: Bool = false) {
        self.limit = max(0, limit)
        isBefore = largest ? { $0 > $1 } : { $0 < $1 }
    }

    mutating func add(_ name: String) {
        names.append(name)
        // Memory is bounded by the limit, not by the number of names.
        if names.count > 1024, names.count / 2 >= limit { names = sorted() }
    }

    /// Returns the names in order.
    func sorted() -> [String] { Array(names.sorted(by: isBefore).prefix(limit)) }
}

/// The posts of a server's user, which wait until another machine has pulled them.
extension FileInboxArchive {
    /// Returns up to `limit` posts that wait and whose ids follow `id`, in order.
    func waiting(after id: String?, limit: Int) async throws -> [WaitingPost] {
        try await BlockingWork.run("healthsync.inbox") { [self] _ in
            var ids = SmallestNames(limit: limit)
            try forEachID(in: .waiting) { name in
                if PostIDs.isID(name), id.map({ $0 < name }) ?? true { ids.add(name) }
            }
            return ids.sorted().map { WaitingPost(id: $0, bytes: FileSystem.size(of: path(of: $0, .waiting))) }
        }
    }

    /// Opens the archived form of a post that waits; returns `nil` if it does not wait.
    func contents(of id: String) async throws -> ArchivedContents? {
        guard PostIDs.isID(id) else { return nil }
        return try await BlockingWork.run("healthsync.inbox") { [self] _ in
            let path = path(of: id, .waiting)
            do throws(SystemError) {
                return ArchivedContents(try OpenFile(reading: path, followsLinks: false), path: path)
            } catch {
                if error.code == ENOENT { return nil }
                throw ArchiveFiles.failure(path, error)
            }
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
                let bytes = FileSystem.size(of: path)
                let isDeleted = try ArchiveFiles.reporting(path) { () throws(SystemError) in
                    try FileSystem.delete(path)
                }
                guard isDeleted else { continue }
                usage?.removed(bytes: bytes)
                removed += 1
            }
            if removed > 0 { try syncFolder("\(folder)/\(InboxEntry.State.waiting.rawValue)") }
            return removed
        }
    }
}

/// The archived form of a post: the line with its head, then its body. It can be read after the post was deleted.
final class ArchivedContents: BodyStream {
    private let file: OpenFile
    private let path: String

    private static let pieceBytes = 256 << 10

    fileprivate init(_ file: OpenFile, path: String) {
        self.file = file
        self.path = path
    }

    /// Returns the next piece; `nil` at the end.
    func next() async throws -> [UInt8]? {
        try await BlockingWork.run("healthsync.inbox") { [self] _ in
            let piece = try ArchiveFiles.reporting(path) { () throws(SystemError) in
                try file.read(upTo: Self.pieceBytes)
            }
            return piece.isEmpty ? nil : piece
        }
    }
}
