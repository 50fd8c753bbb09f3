import HealthSyncDomain
import HealthSyncEngine
import HealthSyncPorts
import Synchronization
import Testing

@Suite struct InboxPullTests {
    @Test func postsAreArchivedInOrderAndConfirmed() async throws {
        let world = PullWorld(posts: 250)
        let archived = Mutex(0)
        let report = try await world.pull.run { archived.withLock { $0 += 1 } }
        #expect(report.posts == 250 && report.failure == nil && report.damaged.isEmpty)
        #expect(report.bytes == world.names.reduce(0) { $0 + Int64($1.utf8.count) })
        #expect(archived.withLock { $0 } == 250)
        #expect(world.state { $0.archive } == world.names)
        #expect(world.state { $0.server.isEmpty && $0.marked.isEmpty })
        let again = try await world.pull.run()
        #expect(again == InboxPull.Report())
    }

    @Test func aFailureAtAnyCallLosesNothingAndArchivesNothingTwice() async throws {
        var number = 0
        while true {
            let world = PullWorld(posts: 45)
            world.state { $0.failingCall = number }
            let report = try await world.pull.run()
            // What is not on the server any more is archived, and nothing is archived twice.
            world.state { state in
                #expect(Set(state.server).union(state.archive) == Set(world.names), "call \(number)")
                #expect(state.archive.count == Set(state.archive).count)
            }
            world.state { $0.failingCall = nil }
            #expect(try await world.pull.run().failure == nil)
            #expect(world.state { $0.archive } == world.names, "call \(number)")
            #expect(world.state { $0.server.isEmpty && $0.marked.isEmpty })
            if report.failure == nil { break }
            number += 1
        }
        #expect(number > 100)
    }

    @Test func aDamagedPostStaysOnTheServerAndTheOthersAreArchived() async throws {
        let world = PullWorld(posts: 130)
        world.state { $0.damaged = [world.names[3], world.names[120]] }
        let report = try await world.pull.run()
        #expect(report.posts == 128 && report.failure == nil)
        #expect(report.damaged.map(\.subject) == [world.names[3], world.names[120]])
        #expect(world.state { $0.server } == [world.names[3], world.names[120]])
    }

    @Test func aPostThatWasConfirmedElsewhereIsSkipped() async throws {
        let world = PullWorld(posts: 5)
        world.state { $0.vanishing = [world.names[2]] }
        let report = try await world.pull.run()
        #expect(report.posts == 4 && report.failure == nil)
        #expect(!world.state { $0.archive.contains(world.names[2]) })
    }

    @Test func aListThatDoesNotEndIsAFailure() async throws {
        let world = PullWorld(posts: 150)
        world.state { $0.repeatsPages = true }
        #expect(try await world.pull.run().failure?.code == .serverUnavailable)
    }

    @Test(arguments: [(0, 1), (1, 0), (2, 2)])
    func aListOutOfOrderIsAFailureAndNothingOfItIsConfirmed(first: Int, second: Int) async throws {
        let world = PullWorld(posts: 3)
        world.state { $0.order = [first, second, 2] }
        let report = try await world.pull.run()
        #expect(report.failure?.code == (first < second && second < 2 ? nil : .serverUnavailable))
        #expect(world.state { Set($0.server).union($0.archive) } == Set(world.names))
    }

    @Test(arguments: [(9, 10, true), (10, 10, true), (11, 10, false)])
    func aListOfPostsThatCannotBeArchivedEnds(posts: Int, limit: Int, isWhole: Bool) async throws {
        var limits = InboxPull.Limits()
        limits.failedPosts = limit
        let world = PullWorld(posts: posts)
        world.state { $0.vanishing = Set(world.names) }
        #expect((try await world.pull(limits).run().failure == nil) == isWhole)
        world.state { state in
            state.vanishing = []
            state.damaged = Set(world.names)
        }
        let report = try await world.pull(limits).run()
        #expect(report.damaged.count == min(posts, limit) && (report.failure == nil) == isWhole)
    }

    @Test func aPullEndsAfterManyPostsAndTheNextOneContinues() async throws {
        var limits = InboxPull.Limits()
        limits.posts = 10
        let world = PullWorld(posts: 25)
        var counts: [Int] = []
        repeat { counts.append(try await world.pull(limits).run().posts) } while !world.state { $0.server.isEmpty }
        #expect(counts == [10, 10, 5])
        #expect(world.state { $0.archive } == world.names && world.state { $0.marked.isEmpty })
    }

    @Test func statedSizesAreNotCounted() async throws {
        for size in [Int64.min, -1, .max] {
            let world = PullWorld(posts: 3)
            world.state { $0.statedBytes = size }
            let report = try await world.pull.run()
            #expect(report.failure == nil && report.bytes == world.names.reduce(0) { $0 + Int64($1.utf8.count) })
        }
    }

    @Test func onlyTheFirstRequestWaits() async throws {
        let world = PullWorld(posts: 3)
        _ = try await world.pull.run(waitSeconds: 20)
        #expect(world.state { $0.waits } == [20, 0])
    }
}

/// A server and an archive in memory. Every call can fail.
final class PullWorld: Sendable {
    struct State {
        var server: [String] = []
        var archive: [String] = []
        /// The archived posts that are not confirmed.
        var marked: Set<String> = []
        var damaged: Set<String> = []
        /// Posts that no longer exist when they are fetched.
        var vanishing: Set<String> = []
        var repeatsPages = false
        /// The positions of the posts in the list; empty for ascending ids.
        var order: [Int] = []
        /// The size that the server states for each post; `nil` for the right one.
        var statedBytes: Int64?
        var isDown = false
        /// The pauses of a loop, in milliseconds.
        var pauses: [Int64] = []
        var waits: [Int] = []
        /// The number of the call that fails, counted from 0.
        var failingCall: Int?
        var calls = 0
    }

    let names: [String]
    private let stored: Mutex<State>

    init(posts: Int) {
        names = (0..<posts).map { "post-\(1_000 + $0)" }
        stored = Mutex(State(server: names))
    }

    var pull: InboxPull { pull(InboxPull.Limits()) }

    func pull(_ limits: InboxPull.Limits) -> InboxPull {
        InboxPull(server: Server(world: self), archive: Archive(world: self), limits: limits)
    }

    @discardableResult func state<Result>(_ body: (inout State) throws -> Result) rethrows -> Result {
        try stored.withLock { state in try body(&state) }
    }

    /// Counts a call, which fails before it has an effect, or with `afterwards`, only its answer is lost.
    private func call<Result>(_ body: (inout State) throws -> Result) throws -> Result {
        try state { state in
            defer { state.calls += 1 }
            let failing = state.failingCall
            func failure() -> SyncFailure {
                SyncFailure(.serverUnavailable, subject: "fake", reason: "call \(state.calls)", advice: "")
            }
            if failing == state.calls { throw failure() }
            let result = try body(&state)
            state.calls += 1
            if failing == state.calls { throw failure() }
            return result
        }
    }

    private struct Server: ServerInbox {
        let world: PullWorld
        var address: String { "https://fake" }

        func posts(after id: String?, waitSeconds: Int) async throws -> [WaitingPost] {
            try world.call { state in
                if state.isDown {
                    throw SyncFailure(.serverUnavailable, subject: "down", reason: "", advice: "")
                }
                state.waits.append(waitSeconds)
                var rest = state.server
                if let id, !state.repeatsPages { rest.removeAll { $0 <= id } }
                if !state.order.isEmpty, id == nil { rest = state.order.map { world.names[$0] } }
                return rest.prefix(100).map { WaitingPost(id: $0, bytes: state.statedBytes ?? Int64($0.utf8.count)) }
            }
        }

        func fetch(_ post: WaitingPost, into writer: any PulledPostWriter) async throws -> Bool {
            let exists = try world.call { !$0.vanishing.contains(post.id) }
            guard exists else { return false }
            try Array(post.id.utf8).withUnsafeBytes { try writer.append($0) }
            return true
        }

        func confirm(_ ids: [String]) async throws {
            try world.call { state in
                guard ids.allSatisfy(state.archive.contains) else {
                    Issue.record("a post was confirmed before it was archived")
                    return
                }
                if !state.repeatsPages { state.server.removeAll(where: ids.contains) }
            }
        }
    }

    private struct Archive: PulledPostArchive {
        let world: PullWorld

        func begin(pulling id: String) throws -> (any PulledPostWriter)? {
            try world.call { $0.archive.contains(id) ? nil : Writer(id: id, world: world) }
        }

        func unconfirmed() async throws -> [String] { try world.call { $0.marked.sorted() } }
        func confirmed(_ ids: [String]) async throws { try world.call { $0.marked.subtract(ids) } }
    }

    private struct Writer: PulledPostWriter {
        let id: String
        let world: PullWorld

        func append(_ bytes: UnsafeRawBufferPointer) throws { try world.call { _ in } }

        func commit() async throws -> Int64 {
            try world.call { state in
                if state.damaged.contains(id) {
                    throw SyncFailure(.badInput, subject: id, reason: "damaged", advice: "")
                }
                state.archive.append(id)
                state.marked.insert(id)
                return Int64(id.utf8.count)
            }
        }

        func discard() {}
    }
}
