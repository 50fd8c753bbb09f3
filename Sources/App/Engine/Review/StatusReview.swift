package import HealthSyncDomain
package import HealthSyncPorts

/// The state of the local store and of the delivery to the server.
package struct StatusReport: Sendable, Hashable {
    /// The first and last day with records; `nil` if none exist.
    package var recordedDays: DayRange?
    /// How long ago the records end; `nil` if none exist up to today.
    package var freshness: DataFreshness?
    /// The metrics that have records.
    package var metrics: [HealthMetric]
    /// The types with stored samples.
    package var sampleTypes: [SampleType]
    /// The server; `nil` if none is configured and the database does not contain exactly one.
    package var server: DisplayedServer?
    /// The items that wait for other servers, which no run sends; by address.
    package var otherServers: [String: Int] = [:]
    /// When the user paused delivery; `nil` if it is not paused.
    package var heldSince: Instant?
    /// Outbox items by state.
    package var outbox: [DeliveryState: Int]
    /// The items of the outbox that wait or are in flight.
    package var waiting: WaitingCount
    /// One of the rejected items; `nil` if none was rejected.
    package var rejection: OutboxItem?
    /// The stored state of the server.
    package var destinationState: DestinationState?
    /// The last verification of the server; `nil` without a server.
    package var verification: VerificationState?
    /// The samples of exports that no feed sent.
    package var unsent: UnsentSamples
    /// The records that the server is not offered; `nil` if it is offered all of them.
    package var omitted: OmittedRecords?
    /// Whether a run is still to show that the default has further metrics.
    package var hasFurtherMetrics = false
    /// The days that the next unlimited run will derive.
    package var outOfDate: OutOfDateDays
    /// What the rules of this version changed in the past; `nil` for nothing, and when it was stated for long enough.
    package var historyChange: HistoryChange?
    /// The most recent runs.
    package var runs: RunHistory

    /// Returns how delivery stands; `nil` without a server. `number` writes a count, and `moment` a time.
    package func verdict(number: (Int) -> String, moment: (Instant) -> String) -> DeliveryVerdict? {
        guard let server else { return nil }
        return DeliveryVerdict(
            counts: outbox, pause: heldSince.map { DeliveryVerdict.pause(since: moment($0)) }, state: destinationState,
            trouble: runs.trouble(with: server.destination), verification: verification, rejection: rejection,
            isRunning: runs.current != nil, hasRecords: recordedDays != nil, number: number)
    }
}

/// Reads the state of the database. Changes and sends nothing.
package struct StatusReview: Sendable {
    let ports: EnginePorts
    let settings: EngineSettings

    /// Returns the state of the local store and of the delivery to the displayed server.
    package func run() async throws -> StatusReport {
        let server = try await ServerReview(ports: ports).run()
        let destination = server?.destination
        let state: DestinationState? =
            if let destination { try await ports.outbox.destinationState(destination) } else { nil }
        let verification: VerificationState? =
            if let destination { try await StoredVerdict(ports: ports).state(of: destination) } else { nil }
        let omitted: OmittedRecords? =
            if let destination { try await ports.outbox.omittedRecords(destination: destination) } else { nil }
        var others: [String: Int] = [:]
        var waiting = WaitingCount()
        for address in try await ports.outbox.destinations() {
            let count = WaitingCount(try await ports.outbox.waiting(destination: address))
            // Without a known server, those of all are counted.
            if destination == nil || address == destination { waiting += count }
            if address != destination, count.items > 0 { others[address] = count.items }
        }
        return StatusReport(
            recordedDays: try await ports.repository.recordedDays(),
            freshness: try await ports.repository.freshness(today: settings.clock.day(of: ports.time.now())),
            metrics: try await ports.repository.recordedMetrics(),
            sampleTypes: try await ports.pages.storedTypes().map(\.type).sorted(),
            server: server, otherServers: others, heldSince: ports.hold.since(),
            outbox: try await ports.outbox.counts(destination: destination),
            waiting: waiting,
            rejection: try await ports.outbox.items(in: .dead, destination: destination, limit: 1).first,
            destinationState: state, verification: verification,
            unsent: try await ports.pages.unsentSamples(), omitted: omitted,
            hasFurtherMetrics: try await FurtherMetrics(ports: ports, settings: settings).hasNotice(),
            outOfDate: try await OutOfDateCheck(ports: ports, settings: settings).run(),
            historyChange: try await HistoryReview(ports: ports).shown(),
            runs: try await RunReview(ports: ports).runHistory(limit: Self.runsInStatus))
    }

    /// Returns the names in the user's order of sources that no stored source has; none before the first import.
    package func unknownPreferredNames() async throws -> [String] {
        let names = try await ports.pages.sourceNames()
        return names.isEmpty ? [] : settings.originPriority.unknownNames(among: names)
    }

    /// Returns the number of days on which inputs are matched without knowing the digits of an export, which an earlier
    /// version imported.
    package func daysWithoutNotations() async throws -> Int { try await ports.pages.daysWithoutNotations() }

    private static let runsInStatus = 5
}

/// Reads what the rules of this version changed in figures of the past.
package struct HistoryReview: Sendable {
    let ports: EnginePorts

    /// Returns the change; `nil` for nothing, and when it was stated for `HistoryChange.shownDays`.
    package func shown() async throws -> HistoryChange? {
        let now = ports.time.now()
        return try await ports.tracking.historyChange().flatMap { $0.isShown(at: now) ? $0 : nil }
    }
}

/// Reads the recorded runs.
package struct RunReview: RunReader {
    let ports: EnginePorts

    package func runHistory(limit: Int) async throws -> RunHistory {
        let before = try await ports.runs.lastRuns(limit: limit)
        let open = Set(before.filter { $0.end == nil }.map(\.id))
        guard !open.isEmpty else { return RunHistory(runs: before) }
        let current = ports.runWatch.activeRun()
        // A run may have ended since the first query. Its stored end takes precedence.
        var runs = try await ports.runs.lastRuns(limit: limit)
        for index in runs.indices where runs[index].end == nil && open.contains(runs[index].id) {
            // If the folder was locked after the run began, the lock belongs to another run.
            if current.map({ $0.since > runs[index].startedAt }) ?? true { runs[index].end = .cutOff }
        }
        return RunHistory(runs: runs, progress: runs.contains { $0.end == nil } ? current?.progress : nil)
    }
}
