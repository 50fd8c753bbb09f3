package import HealthSyncDomain
package import HealthSyncPorts
import Synchronization

/// An `InboxArchive` in memory. It cannot decompress bodies, so it treats a body with a content encoding as damaged.
package final class InMemoryInboxArchive: InboxArchive {
    private struct Stored {
        var head: InboxHead
        var body: [UInt8]
        var state: InboxEntry.State
        var outcome: InboxOutcome?
    }

    private struct State {
        var posts: [String: Stored] = [:]
        var number = 0
        var failure: SyncFailure?
        var settlingFailure: SyncFailure?
    }

    private let state = Mutex(State())
    private let limit: Int

    /// - Parameter limit: the maximum size of a body in bytes.
    package init(limit: Int = 64 << 20) { self.limit = limit }

    /// Makes `begin`, `append` and `commit` fail, or work again with `nil`.
    package func fail(with failure: SyncFailure?) { state.withLock { $0.failure = failure } }

    /// Makes `settle` fail, as after a crash, or work again with `nil`.
    package func failSettling(with failure: SyncFailure?) { state.withLock { $0.settlingFailure = failure } }

    /// Adds a post that waits, under an id of the test.
    package func add(_ post: InboxPost) {
        state.withLock { $0.posts[post.id] = Stored(head: post.head, body: post.body, state: .waiting) }
    }

    /// The outcomes of the posts that have one, by id.
    package var outcomes: [String: InboxOutcome] { state.withLock { $0.posts.compactMapValues(\.outcome) } }

    /// The ids of the posts that wait, in order.
    package var waitingIDs: [String] {
        state.withLock { state in state.posts.filter { $0.value.state == .waiting }.keys.sorted() }
    }

    package func begin(_ head: InboxHead) throws -> any InboxPostWriter {
        try check()
        return Writer(head, archive: self)
    }

    private func check() throws(SyncFailure) {
        if let failure = state.withLock({ $0.failure }) { throw failure }
    }

    package func waiting(limit: Int) async throws -> [String] {
        Array(waitingIDs.prefix(max(0, limit)))
    }

    package func post(_ id: String) async throws -> InboxPost {
        InboxPost(id: id, head: try stored(id).head, body: try await body(id, limit: limit))
    }

    package func body(_ id: String, limit: Int) async throws -> [UInt8] {
        let stored = try stored(id)
        guard stored.body.count <= limit, stored.head.header("content-encoding") == nil else {
            throw SyncFailure(.badInput, subject: id, reason: "cannot be decompressed", advice: "send it again")
        }
        return stored.body
    }

    package func settle(_ id: String, as outcome: InboxOutcome) async throws {
        if let failure = state.withLock({ $0.settlingFailure }) { throw failure }
        try change(id) { stored in
            stored.state = outcome.isDecoded ? .decoded : .undecoded
            stored.outcome = outcome
        }
    }

    package func retry(_ id: String) async throws {
        try change(id) { stored in
            stored.state = .waiting
            stored.outcome = nil
        }
    }

    package func entries(limit: Int) async throws -> [InboxEntry] {
        state.withLock { state in
            state.posts.sorted { $0.key > $1.key }.prefix(max(0, limit)).map { Self.entry($0, $1) }
        }
    }

    package func entry(_ id: String) async throws -> InboxEntry { Self.entry(id, try stored(id)) }

    private static func entry(_ id: String, _ stored: Stored) -> InboxEntry {
        InboxEntry(
            id: id, head: stored.head, bytes: Int64(stored.body.count), state: stored.state, outcome: stored.outcome)
    }

    package func counts() async throws -> [InboxEntry.State: Int] {
        state.withLock { state in
            var counts = Dictionary(uniqueKeysWithValues: InboxEntry.State.allCases.map { ($0, 0) })
            for stored in state.posts.values { counts[stored.state, default: 0] += 1 }
            return counts
        }
    }

    package func prune(before instant: Instant, bytes: Int64) async throws -> Int {
        state.withLock { state in
            let count = state.posts.count
            state.posts = state.posts.filter { $0.value.state == .waiting || $0.value.head.receivedAt >= instant }
            var total = state.posts.values.reduce(Int64(0)) { $0 + Int64($1.body.count) }
            for kind in [InboxEntry.State.decoded, .undecoded] {
                for (id, stored) in state.posts.filter({ $0.value.state == kind }).sorted(by: { $0.key < $1.key })
                where total > bytes {
                    state.posts[id] = nil
                    total -= Int64(stored.body.count)
                }
            }
            return count - state.posts.count
        }
    }

    private func stored(_ id: String) throws(SyncFailure) -> Stored {
        guard let stored = state.withLock({ $0.posts[id] }) else {
            throw SyncFailure(.noInput, subject: id, reason: "no such post", advice: "list the posts")
        }
        return stored
    }

    private func change(_ id: String, _ body: (inout Stored) -> Void) throws(SyncFailure) {
        var changed = try stored(id)
        body(&changed)
        state.withLock { $0.posts[id] = changed }
    }

    private func add(_ head: InboxHead, _ body: [UInt8]) throws(SyncFailure) -> String {
        try check()
        return state.withLock { state in
            state.number += 1
            let digits = String(state.number)
            let id = "post-" + String(repeating: "0", count: max(0, 9 - digits.count)) + digits
            state.posts[id] = Stored(head: head, body: body, state: .waiting)
            return id
        }
    }

    private final class Writer: InboxPostWriter {
        private let archive: InMemoryInboxArchive
        private let state: Mutex<(head: InboxHead, body: [UInt8])>

        init(_ head: InboxHead, archive: InMemoryInboxArchive) {
            self.archive = archive
            state = Mutex((head, []))
        }

        func append(_ bytes: UnsafeRawBufferPointer) throws {
            try archive.check()
            state.withLock { $0.body.append(contentsOf: bytes) }
        }

        func start() throws -> [UInt8] { state.withLock { Array($0.body.prefix(64 << 10)) } }

        func commit() async throws -> String {
            let (head, body) = state.withLock { $0 }
            return try archive.add(head, body)
        }

        func discard() {}
    }
}
