package import HealthSyncDomain
package import HealthSyncPorts
import Synchronization

/// Handles the signals of a watch process one after the other, until its task is cancelled.
///
/// The first signal after a pause is handled at once. While signals keep arriving, those of twice the time that the
/// last ones took, at most a second, are collected and handled together. Work that fails is tried again with growing
/// pauses.
package struct WatchLoop: Sendable {
    private let work: WatchWork
    private let signals: WatchSignals
    private let time: any TimeSource
    private let report: @Sendable (WatchEvent) -> Void

    package init(
        work: WatchWork, signals: WatchSignals, time: any TimeSource, report: @escaping @Sendable (WatchEvent) -> Void
    ) {
        self.work = work
        self.signals = signals
        self.time = time
        self.report = report
    }

    /// Handles signals until the calling task is cancelled. An import that began is finished first, for at most
    /// 20 seconds.
    package func run() async {
        await withDiscardingTaskGroup { timers in
            var attempts = Attempts()
            for await _ in signals.arrivals {
                let began = time.now()
                while !Task.isCancelled, let signal = signals.takeFirst() {
                    guard let again = await handle(signal, &attempts) else { continue }
                    timers.addTask {
                        guard (try? await time.wait(milliseconds: again.milliseconds)) != nil else { return }
                        signals.send(again.signal)
                    }
                }
                let ended = time.now()
                let collecting = min(1_000, 2 * (ended.milliseconds - began.milliseconds))
                guard (try? await time.wait(milliseconds: collecting)) != nil else { break }
            }
            timers.cancelAll()
        }
    }

    /// A signal to send again after a time.
    private struct Again {
        var signal: WatchSignals.Signal
        var milliseconds: Int64
    }

    /// The failures of earlier attempts.
    private struct Attempts {
        var backoffs: [WatchSignals.Signal: Backoff] = [:]
        var notBefore: [WatchSignals.Signal: Instant] = [:]
        /// The last failure of each kind of work, which is not reported again until it succeeds.
        var failures: [WatchSignals.Signal: SyncFailure] = [:]
        /// The beginning of the pause that was reported last.
        var heldSince: Instant?
    }

    private func handle(_ signal: WatchSignals.Signal, _ attempts: inout Attempts) async -> Again? {
        // A signal during a pause after a failure: the timer of the pause follows.
        if let instant = attempts.notBefore[signal], time.now() < instant { return nil }
        attempts.notBefore[signal] = nil
        do {
            let next = try await perform(signal)
            attempts.failures[signal] = nil
            switch next {
            case .again: return pause(signal, &attempts)
            case .held(let since):
                if attempts.heldSince != since { report(.held(since: since)) }
                attempts.heldSince = since
                attempts.backoffs[signal] = nil
                return Again(signal: signal, milliseconds: Self.heldMilliseconds)
            case .done:
                attempts.backoffs[signal] = nil
                return nil
            }
        } catch let failure as SyncFailure {
            return failed(signal, failure, &attempts)
        } catch is CancellationError {
            return nil
        } catch {
            let failure = SyncFailure(
                .unexpected, subject: "watch", reason: FailureText.of(error),
                advice: "report this as a bug in healthsync")
            return failed(signal, failure, &attempts)
        }
    }

    private func failed(
        _ signal: WatchSignals.Signal, _ failure: SyncFailure, _ attempts: inout Attempts
    ) -> Again? {
        if attempts.failures[signal] != failure { report(.failed(failure)) }
        attempts.failures[signal] = failure
        if failure.code == .busy { return Again(signal: signal, milliseconds: Self.busyMilliseconds) }
        if case .source = signal, [.badInput, .incompleteInput, .noInput, .tooManyDeletions].contains(failure.code) {
            // Only a change of the source can help, which sends its signal.
            attempts.failures[signal] = nil
            return nil
        }
        return pause(signal, &attempts)
    }

    private func pause(_ signal: WatchSignals.Signal, _ attempts: inout Attempts) -> Again {
        let standard =
            signal == .delivery
            ? Backoff(first: 5_000, longest: 900_000) : Backoff(first: 1_000, longest: 300_000)
        let wait = attempts.backoffs[signal, default: standard].next()
        attempts.notBefore[signal] = time.now().advanced(byMilliseconds: wait)
        return Again(signal: signal, milliseconds: wait)
    }

    /// What follows the work of a signal.
    private enum Next {
        case done
        /// It must be done again after a time.
        case again
        /// It must be done again after the user's pause.
        case held(since: Instant)
    }

    /// Does the work of a signal.
    private func perform(_ signal: WatchSignals.Signal) async throws -> Next {
        switch signal {
        case .posts:
            while let imported = try await finishing({ try await work.importPosts() }) {
                report(.posts(imported))
                signals.send(.delivery)
                try Task.checkCancellation()
            }
        case .source(let location):
            let imported = try await finishing { try await work.importSource(location) }
            report(.sources(location: location, imported))
            signals.send(.delivery)
        case .daily:
            let imported = try await finishing { try await work.daily() }
            report(.sources(location: nil, imported))
            signals.send(.delivery)
            signals.send(.prune)
        case .prune:
            try await work.prune()
        case .delivery:
            let delivery = try await work.deliver()
            if delivery.delivered > 0 { report(.delivered(delivery.delivered)) }
            if let trouble = delivery.trouble {
                throw SyncFailure(
                    .deliveryIncomplete, subject: "delivery", reason: trouble, advice: "it is tried again")
            }
            if let since = delivery.heldSince { return .held(since: since) }
            guard delivery.isUnfinished, delivery.delivered > 0 else { return delivery.isUnfinished ? .again : .done }
            // It makes progress. Posts and files that arrived meanwhile come first.
            signals.send(.delivery)
        }
        return .done
    }

    /// Runs `body` to its end although the calling task is cancelled, unless that takes more than 20 seconds.
    private func finishing<Result: Sendable>(
        _ body: @escaping @Sendable () async throws -> Result
    ) async throws -> Result {
        // Unstructured: the task of this process is cancelled when it is to stop, and a pass is to be finished.
        let pass = Task { try await body() }
        return try await withTaskCancellationHandler {
            try await pass.value
        } onCancel: {
            Task {
                try? await time.wait(milliseconds: Self.graceMilliseconds)
                pass.cancel()
            }
        }
    }

    private static let graceMilliseconds: Int64 = 20_000
    private static let heldMilliseconds: Int64 = 60_000
    private static let busyMilliseconds: Int64 = 1_000
}

/// What a watch process does; each function opens the database under the run lock and closes it.
package struct WatchWork: Sendable {
    /// Imports waiting posts. Returns `nil` if none waits; otherwise more may wait.
    package var importPosts: @Sendable () async throws -> InboxReport?
    /// Imports the source at a location and derives the days that changed.
    package var importSource: @Sendable (_ location: String) async throws -> RunReport
    /// Imports all sources and derives the days that changed.
    package var daily: @Sendable () async throws -> RunReport
    /// Sends queued records.
    package var deliver: @Sendable () async throws -> WatchDelivery
    /// Deletes old posts from the archive.
    package var prune: @Sendable () async throws -> Void

    package init(
        importPosts: @escaping @Sendable () async throws -> InboxReport?,
        importSource: @escaping @Sendable (String) async throws -> RunReport,
        daily: @escaping @Sendable () async throws -> RunReport,
        deliver: @escaping @Sendable () async throws -> WatchDelivery,
        prune: @escaping @Sendable () async throws -> Void
    ) {
        self.importPosts = importPosts
        self.importSource = importSource
        self.daily = daily
        self.deliver = deliver
        self.prune = prune
    }
}

/// The result of a delivery by a watch process.
package struct WatchDelivery: Sendable, Hashable {
    /// The number of records that were delivered.
    package var delivered: Int
    /// Whether records still wait that another attempt may deliver.
    package var isUnfinished: Bool
    /// Why records still wait; `nil` if the server works.
    package var trouble: String?
    /// When the user paused delivery; `nil` if it is not paused or nothing waits.
    package var heldSince: Instant?

    package init(delivered: Int, isUnfinished: Bool, trouble: String?, heldSince: Instant? = nil) {
        self.heldSince = heldSince
        self.delivered = delivered
        self.isUnfinished = isUnfinished
        self.trouble = trouble
    }
}

/// What a watch process did, for its output. Contains no health values.
package enum WatchEvent: Sendable {
    /// Posts were imported, or could not be decoded.
    case posts(InboxReport)
    /// Sources were imported. `location` is `nil` for a daily run.
    case sources(location: String?, RunReport)
    /// Posts were pulled from a server.
    case pulled(posts: Int, bytes: Int64)
    /// Records were delivered.
    case delivered(Int)
    /// Records wait because the user paused delivery. Reported once for a pause.
    case held(since: Instant)
    /// Something failed and, if it can succeed later, is tried again.
    case failed(SyncFailure)
}

/// What woke the watch process and is not handled yet. Equal signals are handled once.
package final class WatchSignals: Sendable {
    /// Something to do.
    package enum Signal: Sendable, Hashable {
        /// A post was archived, or posts wait.
        case posts
        /// The source at this location changed.
        case source(String)
        /// The hour of the daily run has come.
        case daily
        /// Records may be delivered.
        case delivery
        /// Old posts may be deleted from the archive.
        case prune
    }

    private let pending = Mutex<[Signal]>([])
    private let continuation: AsyncStream<Void>.Continuation
    /// Yields once or more after each signal.
    let arrivals: AsyncStream<Void>

    package init() {
        (arrivals, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    }

    /// Adds a signal. Returns at once; may be called from any thread.
    package func send(_ signal: Signal) {
        pending.withLock { if !$0.contains(signal) { $0.append(signal) } }
        continuation.yield()
    }

    /// Returns the next signal and removes it: posts first, then sources in the order of their change, then the daily
    /// run, then delivery.
    fileprivate func takeFirst() -> Signal? {
        pending.withLock { pending in
            guard let index = pending.indices.min(by: { pending[$0].rank < pending[$1].rank }) else { return nil }
            return pending.remove(at: index)
        }
    }
}

extension WatchSignals.Signal {
    fileprivate var rank: Int {
        switch self {
        case .posts: 0
        case .source: 1
        case .daily: 2
        case .delivery: 3
        case .prune: 4
        }
    }
}
