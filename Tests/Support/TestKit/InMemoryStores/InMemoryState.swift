import HealthSyncDomain
import HealthSyncPorts

/// The state of all stores of a run.
struct InMemoryState: Sendable {
    struct ProviderKey: Hashable {
        var provider: String
        var key: SamplePageKey
    }

    struct DeletedKey: Hashable {
        var provider: String
        var externalID: String
    }

    struct TypeRow {
        var definition: SampleTypeDefinition
        var longest: Int64
    }

    struct Progress {
        var derivedBy: HealthMetric
        var revised: RevisedRecord<DailyProgress>
    }

    struct TrackingKey: Hashable {
        var metric: HealthMetric
        var day: CalendarDay
    }

    var pages: [ProviderKey: PackedPage] = [:]
    var tombstones: [ProviderKey: (page: PackedPage, exportDate: Instant)] = [:]
    var types: [SampleType: TypeRow] = [:]
    var sources: [String: ImportedSource] = [:]
    var snapshotDates: [String: [Int: SnapshotDates]] = [:]
    var deleted: [DeletedKey: DeletedRow] = [:]
    var knownWindows: [String: [KnownWindow]] = [:]
    var windowParts: [String: [WindowPart]] = [:]
    var feedWindows: [FeedWindow] = []
    /// By type and UTC day.
    var unsent: [SampleType: [CalendarDay: [CalendarDay: Int]]] = [:]
    var lineagePages: [ProviderKey: [Int: PackedPage]] = [:]

    var progress: [ProgressKey: Progress] = [:]
    var sleep: [String: RevisedRecord<SleepSession>] = [:]
    var snapshots: [CalendarDay: RevisedRecord<ActivitySnapshot>] = [:]
    var removed: [String: Tombstone] = [:]
    var tracking: [TrackingKey: ContentDigest] = [:]
    var storedDayZones: StoredDayZones?
    var zoneRules: [String: ContentDigest] = [:]
    var complete: [CompletePart: ContentDigest] = [:]
    var zoneEvidence: [String: [StatedOffset]] = [:]
    var notices: Set<Notice> = []

    var outbox = InMemoryOutbox()
    var verifications: [String: Verification] = [:]

    var shoes: [Shoe] = []
    var shoeSessions: [ShoeSession] = []
    var settledShoeHours: Set<SettledHours> = []
    var layering: [SampleType: InMemoryLayering] = [:]
    var revisions: [SampleType: [SampleID: SampleRevision]] = [:]

    /// Stores a tombstone with the higher of both revisions.
    mutating func remember(_ removed: Tombstone) {
        let known = self.removed[removed.sourceID]?.revision ?? removed.revision
        self.removed[removed.sourceID] = removed
        self.removed[removed.sourceID]?.revision = max(known, removed.revision)
    }

    /// Marks everything that depends on days of `metric` as incomplete: the metric, activity snapshots, servers.
    mutating func endComplete(whatFollowsFrom metric: HealthMetric) {
        complete[.metric(metric)] = nil
        complete[.metric(HealthMetric(rawValue: "activitySnapshot"))] = nil
        complete = complete.filter { if case .server = $0.key { false } else { true } }
    }
}
