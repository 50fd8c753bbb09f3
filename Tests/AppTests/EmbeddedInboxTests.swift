import Foundation
import HealthSyncApp
import HealthSyncDomain
import HealthSyncEngine
import HealthSyncPorts
import HealthSyncReceiver
import HealthSyncTestTools
import Synchronization
import Testing

/// Decodes posts whose body is `steps N`: steps at noon of 15 January 2024 (UTC).
private struct CountDecoder: InboxDecoder {
    struct Reading: InboxReading {
        var samples: SampleCollector
        var account: SourceReading { samples.account }

        mutating func take(_ post: InboxPost) throws {
            let words = String(decoding: post.body, as: UTF8.self).split(separator: " ")
            guard words.count == 2, let steps = Double(words[1]) else {
                throw SyncFailure(.badInput, subject: post.id, reason: "not a count", advice: "send it again")
            }
            let noon = Instant(seconds: 1_705_320_000)
            try samples.add(
                SourceSample(
                    type: SampleTypeDefinition.stepCount.type, unit: "count",
                    origin: SampleOrigin(sourceName: "Counter"),
                    interval: InstantRange(start: noon, end: noon.advanced(bySeconds: 60)), value: steps))
        }

        mutating func finish() throws -> SourceReading { try samples.finish() }
    }

    var name: String { "Counter" }
    var provider: String { "counter" }
    var semantics: SourceSemantics { .feed }

    func recognizes(_ head: InboxHead, start: ArraySlice<UInt8>) -> Bool { start.starts(with: "steps ".utf8) }

    func reading(
        _ selection: SampleSelection, in context: SourceContext,
        receive: @escaping @Sendable (borrowing SampleBatch) throws -> Void
    ) -> any InboxReading {
        Reading(samples: SampleCollector(selection, receive: receive))
    }
}

private final class Events: EventLog {
    let all = Mutex<[String]>([])
    func note(_ event: String, level: LogLevel) { all.withLock { $0.append(event) } }
}

@Suite("The inbox of an embedding program")
struct EmbeddedInboxTests {
    @Test("A daily run imports the posts that wait, by the decoders of the program; a historical run leaves them")
    func waitingPosts() async throws {
        let folder = try TemporaryFolder()
        let archive = FileInboxArchive(folder: folder.path(of: "inbox"))
        func deliver(_ body: String) async throws {
            let head = InboxHead(
                method: "POST", path: ["count"], device: "phone", receivedAt: Instant(seconds: 1_705_330_000))
            let writer = try archive.begin(head)
            try Array(body.utf8).withUnsafeBytes { try writer.append($0) }
            _ = try await writer.commit()
        }
        for body in ["steps 4711", "steps many", "something else"] { try await deliver(body) }
        let events = Events()
        func run(_ scope: RunScope) async throws -> RunReport {
            try await HealthSync.run(
                HealthSync.Request(scope, dataDirectory: folder.path, zone: "UTC"), decoders: [CountDecoder()],
                log: events)
        }
        _ = try await run(.daily())
        #expect(try await archive.waiting(limit: 9) == [])
        try await deliver("steps 1")
        _ = try await run(.historical(from: nil, to: nil))
        #expect(try await archive.waiting(limit: 9).count == 1)
        #expect(events.all.withLock { $0 }.count { $0.hasPrefix("post ") && $0.contains("cannot be decoded") } == 2)
        let steps = try await HealthSync.open(folder.path).read { reader in
            try await reader.records.dailyQuantities(of: .steps, days: DayRange(CalendarDay(ordinal: 19_737)))
        }
        #expect(steps.map(\.quantity) == [4_711])
    }
}
