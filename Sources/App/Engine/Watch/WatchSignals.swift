import Synchronization

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
    func takeFirst() -> Signal? {
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
