public import HealthSyncDomain
import HealthSyncPorts

/// The difference of the local store between two looks at it.
public struct DataChange: Sendable, Hashable {
    /// The days whose figures changed, appeared, were deleted, or are to be sent again, by metric; those of sleep under `.sleep`.
    public var days: [HealthMetric: Set<CalendarDay>] = [:]
    /// The days whose activity snapshot changed, appeared or was deleted.
    public var snapshotDays: Set<CalendarDay> = []
    /// Whether shoes or sessions changed. The journal of a day also changes with its steps and its walking distance.
    public var hasOtherShoes = false
    /// Whether days are counted by other time zones than before.
    public var hasOtherZones = false

    /// Creates a change of nothing.
    public init() {}

    /// Adds a later change.
    public mutating func merge(_ later: DataChange) {
        days.merge(later.days) { $0.union($1) }
        snapshotDays.formUnion(later.snapshotDays)
        hasOtherShoes = hasOtherShoes || later.hasOtherShoes
        hasOtherZones = hasOtherZones || later.hasOtherZones
    }

    /// Whether nothing changed.
    public var isEmpty: Bool { self == DataChange() }
}

/// Finds what changed in the local store.
package struct DataChanges: Sendable {
    let ports: EnginePorts

    /// The state of the store at one look.
    package struct State: Sendable {
        fileprivate var version: DataVersion?
        fileprivate var revisions: [RecordKey: Int] = [:]
        fileprivate var shoes: [Shoe] = []
        fileprivate var sessions = ShoeSessions()
        fileprivate var zones: StoredDayZones?

        /// The state of an empty store.
        package init() {}
    }

    /// Updates `state` and returns the differences from it. Reads the revisions of records only if the version of the records changed.
    package func run(since state: inout State) async throws -> DataChange {
        var change = DataChange()
        var present = state
        // Read first: a commit during the other reads is found at the next look.
        present.version = try await ports.repository.version()
        if present.version == nil || present.version != state.version {
            present.revisions = try await ports.tracking.recordRevisions()
            Self.note(from: state.revisions, to: present.revisions, in: &change)
        }
        present.shoes = try await ports.shoes.shoes()
        present.sessions = try await ports.shoes.sessions()
        present.zones = try await ports.tracking.storedDayZones()
        change.hasOtherShoes = state.shoes != present.shoes || state.sessions != present.sessions
        change.hasOtherZones = state.zones?.zones != present.zones?.zones
        state = present
        return change
    }

    private static func note(from old: [RecordKey: Int], to new: [RecordKey: Int], in change: inout DataChange) {
        func note(_ key: RecordKey) {
            if let metric = key.metric {
                change.days[metric, default: []].insert(key.day)
            } else {
                change.snapshotDays.insert(key.day)
            }
        }
        for (key, revision) in new where old[key] != revision { note(key) }
        for key in old.keys where new[key] == nil { note(key) }
    }
}
