public import HealthSyncDomain
import HealthSyncPorts

/// What changed in the local store between two looks at it.
public struct DataChange: Sendable, Hashable {
    /// The days whose figures changed, appeared or were deleted, by metric; those of sleep under `.sleep`.
    public var days: [HealthMetric: Set<CalendarDay>] = [:]
    /// The days whose activity snapshot changed, appeared or was deleted.
    public var snapshotDays: Set<CalendarDay> = []
    /// Whether shoes or sessions changed. The journal of a day also changes with its steps and its walking distance.
    public var hasOtherShoes = false
    /// Whether days are counted by other time zones than before.
    public var hasOtherZones = false

    /// Creates a change of nothing.
    public init() {}

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

    /// Updates `state` and returns what differs from it. Reads nothing if nothing was committed since.
    package func run(since state: inout State) async throws -> DataChange {
        // Read first: a commit during the other reads is found at the next look.
        let version = try await ports.repository.version()
        guard version == nil || version != state.version else { return DataChange() }
        var present = State()
        present.version = version
        present.revisions = try await ports.tracking.recordRevisions()
        present.shoes = try await ports.shoes.shoes()
        present.sessions = try await ports.shoes.sessions()
        present.zones = try await ports.tracking.storedDayZones()
        defer { state = present }
        return Self.change(from: state, to: present)
    }

    private static func change(from old: State, to new: State) -> DataChange {
        var change = DataChange()
        func note(_ key: RecordKey) {
            if let metric = key.metric {
                change.days[metric, default: []].insert(key.day)
            } else {
                change.snapshotDays.insert(key.day)
            }
        }
        for (key, revision) in new.revisions where old.revisions[key] != revision { note(key) }
        for key in old.revisions.keys where new.revisions[key] == nil { note(key) }
        change.hasOtherShoes = old.shoes != new.shoes || old.sessions != new.sessions
        change.hasOtherZones = old.zones?.zones != new.zones?.zones
        return change
    }
}
