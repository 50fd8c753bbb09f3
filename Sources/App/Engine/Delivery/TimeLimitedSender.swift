package import HealthSyncDomain
package import HealthSyncPorts
import Synchronization

/// A sender whose calls return within a limit, even if those of `sender` never return.
///
/// Without it, one such call would hold a run and its lock of the data folder for ever. A call that exceeds the limit
/// is cancelled and abandoned; if it delivers its batch later, the same key makes that harmless.
package struct TimeLimitedSender: HealthRecordSender {
    private let sender: any HealthRecordSender
    private let milliseconds: Int64
    private let time: any TimeSource

    /// Limits each call of `sender` to `milliseconds` by the clock `time`.
    package init(_ sender: any HealthRecordSender, milliseconds: Int64, time: any TimeSource) {
        self.sender = sender
        self.milliseconds = milliseconds
        self.time = time
    }

    package func capabilities() async -> CapabilityAnswer {
        await limited(.failed(verdict)) { [sender] in await sender.capabilities() }
    }

    package func content(of records: [OutgoingRecord], capabilities: DestinationCapabilities) -> BatchContent {
        sender.content(of: records, capabilities: capabilities)
    }

    package func send(_ batch: OutboxBatch, capabilities: DestinationCapabilities) async -> BatchVerdict {
        await limited(verdict) { [sender] in await sender.send(batch, capabilities: capabilities) }
    }

    private var verdict: BatchVerdict {
        .unknown(reason: "the sender did not return within \(milliseconds / 1000) s")
    }

    private func limited<Result: Sendable>(
        _ late: Result, _ call: @escaping @Sendable () async -> Result
    ) async -> Result {
        let race = Race<Result>()
        let work = Task { race.end(with: await call()) }
        let timer = Task { [time, milliseconds] in
            // The clock throws only if the timer is cancelled, when the call has returned.
            if (try? await time.wait(milliseconds: milliseconds)) != nil { race.end(with: late) }
        }
        defer { timer.cancel() }
        return await withTaskCancellationHandler {
            let result = await race.result()
            work.cancel()
            return result
        } onCancel: {
            work.cancel()
        }
    }
}

/// The first of several results.
private final class Race<Result: Sendable>: Sendable {
    private enum State {
        case running(CheckedContinuation<Result, Never>?)
        case ended(Result)
    }

    private let state = Mutex(State.running(nil))

    /// Ends the race, unless it has ended.
    func end(with result: Result) {
        let waiting = state.withLock { state -> CheckedContinuation<Result, Never>? in
            guard case .running(let waiting) = state else { return nil }
            state = .ended(result)
            return waiting
        }
        waiting?.resume(returning: result)
    }

    /// Returns the first result. Only one caller may wait.
    func result() async -> Result {
        await withCheckedContinuation { continuation in
            let ended = state.withLock { state -> Result? in
                if case .ended(let result) = state { return result }
                state = .running(continuation)
                return nil
            }
            if let ended { continuation.resume(returning: ended) }
        }
    }
}
