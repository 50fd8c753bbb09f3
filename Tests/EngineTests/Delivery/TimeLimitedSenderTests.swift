import HealthSyncDomain
import HealthSyncEngine
import HealthSyncPorts
import HealthSyncTestKit
import Testing

struct TimeLimitedSenderTests {
    @Test func aSenderThatNeverReturnsIsAbandonedAndItsBatchIsSentAgain() async throws {
        let sender = TimeLimitedSender(
            ScriptedSender { await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in } },
            milliseconds: 60_000, time: ManualTime())
        let expected = BatchVerdict.unknown(reason: "the sender did not return within 60 s")
        #expect(await sender.send(try batch(), capabilities: Self.capabilities) == expected)
        guard case .failed(expected) = await sender.capabilities() else {
            Issue.record("the capabilities are known")
            return
        }
    }

    @Test func aVerdictWithinTheLimitIsPassedOn() async throws {
        let sender = TimeLimitedSender(ScriptedSender {}, milliseconds: 60_000, time: StoppedTime())
        let batch = try batch()
        #expect(await sender.send(batch, capabilities: Self.capabilities) == .delivered(batch))
        guard case .capabilities(Self.capabilities) = await sender.capabilities() else {
            Issue.record("the capabilities are not passed on")
            return
        }
        #expect(sender.content(of: [], capabilities: Self.capabilities).path == "scripted")
    }

    /// The sender finishes its batch when its task is cancelled, and its verdict counts.
    @Test func cancellationReachesTheSender() async throws {
        let untilCancelled = ScriptedSender { try? await StoppedTime().wait(milliseconds: 1) }
        let sender = TimeLimitedSender(untilCancelled, milliseconds: 60_000, time: StoppedTime())
        let batch = try batch()
        let task = Task { await sender.send(batch, capabilities: Self.capabilities) }
        task.cancel()
        #expect(await task.value == .delivered(batch))
    }

    private static let capabilities = DestinationCapabilities(batchLimits: [.progress: 3])

    private func batch() throws -> OutboxBatch {
        OutboxBatch(key: "key", destination: "scripted:", kind: .progress, body: [1], itemIDs: [1], recordIDs: [["a"]])
    }
}

/// A sender that delivers once `work` has ended.
private struct ScriptedSender: HealthRecordSender {
    let work: @Sendable () async -> Void

    func capabilities() async -> CapabilityAnswer {
        await work()
        return .capabilities(DestinationCapabilities(batchLimits: [.progress: 3]))
    }

    func content(of records: [OutgoingRecord], capabilities: DestinationCapabilities) -> BatchContent {
        BatchContent(body: [], path: "scripted")
    }

    func send(_ batch: OutboxBatch, capabilities: DestinationCapabilities) async -> BatchVerdict {
        await work()
        return .delivered(batch)
    }
}

/// A clock that does not advance: waiting ends only by cancellation.
private struct StoppedTime: TimeSource {
    func now() -> Instant { Instant(seconds: 0) }
    func systemZoneName() -> String { "UTC" }
    func wait(milliseconds: Int64) async throws {
        let (stream, continuation) = AsyncStream<Void>.makeStream()
        for await _ in stream {}
        withExtendedLifetime(continuation) {}
        throw CancellationError()
    }
}
