import HealthSyncDomain
import HealthSyncPorts
import Synchronization

/// A server in memory that stores records by id and answers as configured by a test.
final class DeliveryServer: OutboxSender {
    /// A received request.
    struct Request {
        var batch: OutboxBatch
        var at: Instant
        /// The number of requests in flight, including this one.
        var inFlight: Int
    }

    /// The answer configured by a test: a verdict in place of the real one, and whether the records are stored.
    struct Answer {
        var verdict: ResponseVerdict?
        var stores = true
    }

    private struct State {
        var requests: [Request] = []
        var stored: [String: Int] = [:]
        var inFlight = 0
        var capabilityQuestions = 0
    }

    private let state = Mutex(State())
    private let time: any TimeSource
    private let capabilityAnswers: [CapabilityAnswer]
    private let answers: @Sendable (Int, OutboxBatch) async -> Answer

    /// Creates a server that answers request number `Int`, counted from 0, with `answers`. Requests for capabilities
    /// are answered in order; the last answer is repeated.
    init(
        time: any TimeSource,
        capabilities: [CapabilityAnswer] = [.capabilities(DeliveryServer.full)],
        answers: @escaping @Sendable (Int, OutboxBatch) async -> Answer = { _, _ in Answer() }
    ) {
        self.time = time
        capabilityAnswers = capabilities
        self.answers = answers
    }

    static let full = DestinationCapabilities(
        batchLimits: [.progress: 10, .sleep: 10, .snapshots: 10], maxBodyBytes: 1 << 20, gzip: true, tombstones: true,
        results: true)

    var requests: [Request] { state.withLock { $0.requests } }
    /// How often each record was stored with a new body.
    var stored: [String: Int] { state.withLock { $0.stored } }
    var capabilityQuestions: Int { state.withLock { $0.capabilityQuestions } }

    /// Whether every key was always sent with the same bytes.
    var everyKeyHasOneContent: Bool {
        Dictionary(grouping: requests.map(\.batch), by: \.key).values.allSatisfy { Set($0.map(\.body)).count == 1 }
    }

    func capabilities() async -> CapabilityAnswer {
        let number = state.withLock { state in
            state.capabilityQuestions += 1
            return state.capabilityQuestions - 1
        }
        return capabilityAnswers[min(number, capabilityAnswers.count - 1)]
    }

    func send(_ batch: OutboxBatch, capabilities: DestinationCapabilities) async -> ResponseVerdict {
        let number = state.withLock { state in
            state.inFlight += 1
            state.requests.append(Request(batch: batch, at: time.now(), inFlight: state.inFlight))
            return state.requests.count - 1
        }
        let answer = await answers(number, batch)
        state.withLock { state in
            state.inFlight -= 1
            if answer.stores { for id in batch.memberIDs.joined() { state.stored[id] = (state.stored[id] ?? 0) | 1 } }
        }
        return answer.verdict ?? .items(batch.itemIDs.map { _ in .delivered })
    }

    func deleteAllSteps() async throws {}

    func batch(
        of items: [OutboxItem], destination: String, capabilities: DestinationCapabilities
    ) -> OutboxBatch {
        let isTombstone = items.first?.content.isTombstone ?? false
        let members = items.map(\.content.memberIDs)
        let body =
            isTombstone ? [] : Array(items.map { String(decoding: $0.content.payload, as: UTF8.self) }.joined().utf8)
        return OutboxBatch(
            key: "\(isTombstone)-\(members)-\(items.map(\.content.revision))", destination: destination,
            kind: items.first?.content.kind ?? .progress, method: isTombstone ? "DELETE" : "POST", path: "/",
            body: body, itemIDs: items.map(\.id), memberIDs: members)
    }
}
