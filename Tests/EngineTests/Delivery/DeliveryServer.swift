import HealthSyncDomain
import HealthSyncPorts
import Synchronization

/// A server in memory that stores records by id and answers as configured by a test.
final class DeliveryServer: HealthRecordSender {
    /// A received request.
    struct Request {
        var batch: OutboxBatch
        var at: Instant
        /// The number of requests in flight, including this one.
        var inFlight: Int
    }

    /// The answer configured by a test: a verdict in place of the real one, and whether the records are stored.
    struct Answer {
        var verdict: BatchVerdict?
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

    static let full = DestinationCapabilities(batchLimits: [.progress: 10, .sleep: 10, .snapshots: 10])
    static let plain: DestinationCapabilities = {
        var capabilities = DestinationCapabilities(batchLimits: [.steps: 2_000, .sleep: 1], acceptsDeletions: false)
        capabilities.returnsVerdicts = false
        return capabilities
    }()

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

    func send(_ batch: OutboxBatch, capabilities: DestinationCapabilities) async -> BatchVerdict {
        let number = state.withLock { state in
            state.inFlight += 1
            state.requests.append(Request(batch: batch, at: time.now(), inFlight: state.inFlight))
            return state.requests.count - 1
        }
        let answer = await answers(number, batch)
        state.withLock { state in
            state.inFlight -= 1
            if answer.stores { for id in batch.recordIDs.joined() { state.stored[id] = (state.stored[id] ?? 0) | 1 } }
        }
        return answer.verdict ?? .items(batch.itemIDs.map { _ in .delivered })
    }

    func content(of records: [OutgoingRecord], capabilities: DestinationCapabilities) -> BatchContent {
        let revisions = records.map { "\($0.ids)@\($0.revision)" }.joined()
        return BatchContent(body: records.flatMap(\.payload), path: "/\(revisions)")
    }
}
