import HealthSyncDomain
import HealthSyncPorts
import Synchronization

/// An archive in memory, whose posts are added by tests.
final class FakeInbox: InboxArchive {
    struct State {
        var posts: [String: InboxPost] = [:]
        var waiting: [String] = []
        var outcomes: [String: InboxOutcome] = [:]
        /// Ids of posts whose body cannot be decompressed.
        var damaged: Set<String> = []
        /// Whether storing an outcome fails, as after a crash.
        var failsSettling = false
    }

    let state = Mutex(State())

    func add(_ id: String, _ text: String, app: String = "lines", damaged: Bool = false) {
        let head = InboxHead(
            method: "POST", path: [app], device: "phone", receivedAt: Instant(seconds: Int64(1_700_000_000)))
        state.withLock { state in
            state.posts[id] = InboxPost(id: id, head: head, body: Array(text.utf8))
            state.waiting.append(id)
            if damaged { state.damaged.insert(id) }
        }
    }

    var outcomes: [String: InboxOutcome] { state.withLock { $0.outcomes } }
    var waitingIDs: [String] { state.withLock { $0.waiting } }

    func begin(_ head: InboxHead) throws -> any InboxPostWriter {
        throw SyncFailure(.unexpected, subject: "fake", reason: "not used", advice: "")
    }

    func waiting(limit: Int) async throws -> [String] { Array(waitingIDs.prefix(limit)) }

    func post(_ id: String) async throws -> InboxPost {
        try state.withLock { state in
            if state.damaged.contains(id) {
                throw SyncFailure(.badInput, subject: id, reason: "not gzip", advice: "")
            }
            guard let post = state.posts[id] else {
                throw SyncFailure(.noInput, subject: id, reason: "no such post", advice: "")
            }
            return post
        }
    }

    func settle(_ id: String, as outcome: InboxOutcome) async throws {
        try state.withLock { state in
            if state.failsSettling { throw SyncFailure(.storage, subject: id, reason: "full", advice: "") }
            state.waiting.removeAll { $0 == id }
            state.outcomes[id] = outcome
        }
    }

    func retry(_ id: String) async throws { state.withLock { $0.waiting.append(id) } }
    func entries(limit: Int) async throws -> [InboxEntry] { [] }
    func entry(_ id: String) async throws -> InboxEntry {
        InboxEntry(id: id, head: try await post(id).head, bytes: 0, state: .waiting, outcome: nil)
    }

    func counts() async throws -> [InboxEntry.State: Int] { [:] }
    func prune(before instant: Instant, bytes: Int64) async throws -> Int { 0 }
}

/// Decodes lines of the form `DAY HOUR VALUE`, in steps, and `# SERIES NUMBER`. A post that begins with `!` cannot be
/// decoded.
struct LineDecoder: InboxDecoder {
    var name = "lines"
    var semantics = SourceSemantics.feed
    var combinesPosts = true
    var provider: String { name }

    func recognizes(_ head: InboxHead, start: ArraySlice<UInt8>) -> Bool { head.path == [name] }

    /// A post of two lines continues one of two lines.
    func continues(_ previous: InboxPost, with post: InboxPost) -> Bool {
        [previous, post].allSatisfy { $0.body.count { $0 == 0x0A } == 1 }
    }

    func reading(
        _ selection: SampleSelection, in context: SourceContext,
        receive: @escaping @Sendable (borrowing SampleBatch) throws -> Void
    ) -> any InboxReading {
        LineReading(samples: SampleCollector(selection, receive: receive))
    }

    private struct LineReading: InboxReading {
        var samples: SampleCollector
        var account: SourceReading { samples.account }

        mutating func take(_ post: InboxPost) throws {
            let text = String(decoding: post.body, as: UTF8.self)
            guard !text.hasPrefix("!") else {
                throw SyncFailure(.badInput, subject: post.id, reason: "not lines", advice: "")
            }
            for line in text.split(separator: "\n") {
                let words = line.split(separator: " ")
                if words[0] == "#", let number = Int64(words[2]) {
                    samples.account.deliveries.append(DeliveryNumber(series: String(words[1]), number: number))
                } else if words.count == 3, let day = Int(words[0]), let hour = Int(words[1]),
                    let value = Double(words[2])
                {
                    let fact = Fact.steps(value, day: day, hour: hour)
                    try samples.add(
                        SourceSample(
                            type: fact.type.type, unit: "count", origin: fact.origin,
                            interval: InstantRange(start: fact.start, end: fact.start.advanced(bySeconds: 600)),
                            value: value))
                } else {
                    samples.reject("not a sample")
                }
            }
        }

        mutating func finish() throws -> SourceReading { try samples.finish() }
    }
}

/// The numbers of deliveries in memory.
final class FakeLedger: DeliveryLedger {
    private let stored = Mutex<[DeliverySequence]>([])
    func sequences() async throws -> [DeliverySequence] { stored.withLock { $0 } }
    func store(_ sequences: [DeliverySequence]) async throws { stored.withLock { $0 = sequences } }
}
