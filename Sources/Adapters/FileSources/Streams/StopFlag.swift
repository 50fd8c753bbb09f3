import Synchronization

/// Set once, from any thread, when work in hand is not wanted any more.
final class StopFlag: Sendable {
    private let flag = Atomic(false)

    /// Whether it is set.
    var isSet: Bool { flag.load(ordering: .relaxed) }

    /// Sets it.
    func set() { flag.store(true, ordering: .relaxed) }
}
