package import HealthSyncPorts

/// The use cases of the program over open stores, one value each.
package struct SyncEngine: Sendable {
    private let ports: EnginePorts
    private let settings: EngineSettings

    package init(ports: EnginePorts, settings: EngineSettings) {
        self.ports = ports
        self.settings = settings
    }

    /// Imports sources, derives days and delivers what changed.
    package var sync: Sync { Sync(ports: ports, settings: settings) }
    /// Records a sync that could not begin.
    package var unstartedSync: UnstartedSync { UnstartedSync(ports: ports, settings: settings) }
    /// Sends the queued items.
    package var push: Push { Push(ports: ports, settings: settings) }
    /// Compares the server with the local store.
    package var verify: Verify { Verify(ports: ports, settings: settings) }
    /// Makes the server equal to the local store.
    package var repair: ServerRepair { ServerRepair(ports: ports, settings: settings) }
    /// The stored result of the last verification.
    package var verdict: StoredVerdict { StoredVerdict(ports: ports) }
    /// Makes the next run derive days again.
    package var resetTracking: ResetTracking { ResetTracking(ports: ports) }
    /// Deletes the intervals of raw samples.
    package var clearIntervals: ClearIntervals { ClearIntervals(ports: ports, settings: settings) }
    /// Writes the stored samples to a file.
    package var export: ExportSamples { ExportSamples(ports: ports, settings: settings) }
    /// Finds the days that the next unbounded run would derive.
    package var outOfDate: OutOfDateCheck { OutOfDateCheck(ports: ports, settings: settings) }
    /// The items of the outbox.
    package var outbox: OutboxItems { OutboxItems(ports: ports) }
    /// The shoes of the user.
    package var shoes: Shoes { Shoes(ports: ports, settings: settings) }
    /// The derived records.
    package var records: any HealthRepository { ports.repository }
    /// The state of the local store and of the delivery.
    package var status: StatusReview { StatusReview(ports: ports, settings: settings) }
    /// The intervals of raw samples with their delivery state.
    package var intervals: IntervalReview { IntervalReview(ports: ports) }
    /// The recorded runs.
    package var runs: RunReview { RunReview(ports: ports) }
    /// The types of samples.
    package var types: TypeReview { TypeReview(ports: ports, settings: settings) }
    /// What the rules of this version changed in figures of the past.
    package var history: HistoryReview { HistoryReview(ports: ports) }
    /// The notice that the metrics of the default have become more.
    package var furtherMetrics: FurtherMetrics { FurtherMetrics(ports: ports, settings: settings) }
    /// The zones by which the stored days are counted.
    package var zones: ZoneReview { ZoneReview(ports: ports) }
    /// What changed since an earlier look.
    package var changes: DataChanges { DataChanges(ports: ports) }
    /// The server whose state is displayed.
    package var server: ServerReview { ServerReview(ports: ports) }
}
