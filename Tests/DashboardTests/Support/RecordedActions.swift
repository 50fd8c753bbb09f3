import HealthSyncDomain
import HealthSyncPorts
import Synchronization

/// The actions that pages started. They do nothing.
final class RecordedActions: DeliveryActions {
    private let state = Mutex<(all: [DeliveryAction], last: StartedAction?, isBusy: Bool)>(([], nil, false))

    var all: [DeliveryAction] { state.withLock { $0.all } }

    /// Sets what the pages show as the last action; every further one is rejected if it is in progress.
    func show(_ started: StartedAction) {
        state.withLock { state in
            state.last = started
            state.isBusy = started.outcome == nil
        }
    }

    func start(_ action: DeliveryAction) async throws {
        try state.withLock { state in
            if state.isBusy {
                throw SyncFailure(.busy, subject: "pages", reason: "in progress", advice: "wait")
            }
            state.all.append(action)
        }
    }

    func last() async -> StartedAction? { state.withLock { $0.last } }
}
