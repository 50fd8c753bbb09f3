import HealthSyncDomain
import HealthSyncPorts

/// The next revision of a record: above all that are known of it and not below the milliseconds since 1970, so that it
/// outranks what was sent by a database that was lost or replaced by a backup since.
struct RevisionClock: Sendable {
    private let least: Int

    init(_ time: any TimeSource) { least = max(1, Int(time.now().milliseconds)) }

    /// The revision that follows those given.
    func next(after known: Int?...) -> Int {
        max(least, (known.compactMap { $0 }.max() ?? 0) + 1)
    }
}
