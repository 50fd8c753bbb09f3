import HealthSyncDomain
import HealthSyncPorts

/// Assigns revisions: above every known revision of a record, and at least the milliseconds since 1970, so that a record
/// outranks those that were delivered from a database that has since been lost or restored from a backup.
struct RevisionClock: Sendable {
    /// The largest revision, 2^53 − 1: servers and the local store accept no larger one.
    static let largest = (1 << 53) - 1

    private let least: Int

    init(_ time: any TimeSource) { least = max(1, Int(time.now().milliseconds)) }

    /// Returns the revision that follows those in `known`.
    func next(after known: Int?...) -> Int {
        max(least, min(known.compactMap { $0 }.max() ?? 0, Self.largest - 1) + 1)
    }
}
