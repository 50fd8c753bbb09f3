import Synchronization

/// A flag that one task raises and others check.
final class Flag: Sendable {
    private let state = Atomic(false)
    var isRaised: Bool { state.load(ordering: .acquiring) }
    func raise() { state.store(true, ordering: .releasing) }
}
