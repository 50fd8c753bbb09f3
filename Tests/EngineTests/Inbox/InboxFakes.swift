import HealthSyncDomain
import HealthSyncPorts
import HealthSyncTestKit
import Synchronization

extension InMemoryInboxArchive {
    /// Adds a post of `app`, whose body cannot be decompressed if it is damaged.
    func add(_ id: String, _ text: String, app: String = "lines", damaged: Bool = false) {
        let head = InboxHead(
            method: "POST", path: [app], headers: damaged ? [.init("content-encoding", "gzip")] : [], device: "phone",
            receivedAt: Instant(seconds: Int64(1_700_000_000)))
        add(InboxPost(id: id, head: head, body: Array(text.utf8)))
    }
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
