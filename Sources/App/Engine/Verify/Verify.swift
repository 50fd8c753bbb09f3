package import HealthSyncDomain
package import HealthSyncPorts

/// Compares the server with the local store. Changes nothing.
package struct Verify: Sendable {
    let ports: EnginePorts
    let settings: EngineSettings

    /// Compares the local raw samples of `types`, and all derived records if `records`, with those of the server.
    /// `days` are calendar days of the user (all for `nil`), and a sample belongs to the day that contains its start.
    /// Returns `nil` if no server is configured.
    ///
    /// - Throws: `SyncFailure` with `.unverifiable` for a server that returns no digests or contradicts itself, and
    ///   with `.serverUnavailable` if a request fails.
    package func run(
        types: [SampleTypeDefinition], records: Bool = false, days: DayRange?
    ) async throws -> VerificationReport? {
        guard let server = ports.server else { return nil }
        let (reader, recordReader, hasNights) = try await readers(of: server)
        var report = VerificationReport(destination: server.address, types: [])
        report.waiting = WaitingCount(try await ports.outbox.waiting(destination: server.address))
        for definition in types.sorted(by: { $0.type < $1.type }) {
            report.types.append(try await verify(definition, days: days, reader: reader))
        }
        guard records else { return report }
        report.outOfDate = try await OutOfDateCheck(ports: ports, settings: settings).run()
        if let recordReader {
            report.records = try await RecordVerifier(
                local: LocalRecords(
                    ports: ports, hasNights: hasNights,
                    former: try await ports.outbox.formerDelivery(of: server.address)),
                server: recordReader,
                destination: report.destination,
                progress: ports.progress
            ).verify(days: days)
        } else {
            report.isRecordless = true
        }
        return report
    }

    private func verify(
        _ definition: SampleTypeDefinition, days: DayRange?, reader: any ServerSampleReader
    ) async throws -> VerificationReport.TypeResult {
        let loader = RawSampleLoader(pages: ports.pages, hasher: ports.hasher, definition: definition)
        var range = try await everything(definition.type)
        if let days {
            let stated = settings.clock.interval(of: days)
            range = stated.intersection(range) ?? InstantRange(start: stated.start, end: stated.start)
        }
        let local = try await LocalSamples(loader, covering: range, progress: ports.progress)
        let walk = DigestWalk(
            type: definition.type, local: local, server: reader, progress: ports.progress)
        return VerificationReport.TypeResult(
            type: definition.type, localCount: local.count, differences: try await walk.differences())
    }

    /// Returns whole roots from the earliest to the latest possible sample on either side.
    private func everything(_ type: SampleType) async throws -> InstantRange {
        var range = Self.acceptedTimes
        if let days = try await ports.pages.dayExtent(of: [type]) {
            range.start = min(range.start, days.first.utcStart)
            range.end = max(range.end, days.last.advanced(by: 1).utcStart)
        }
        return InstantRange(
            start: GridInterval.root(containing: range.start).start,
            end: GridInterval.root(containing: range.end).end)
    }

    /// Returns the readers of the server's samples and, if it supports their digests, of its derived records, and whether it
    /// takes what sleep sessions are a part of.
    ///
    /// - Throws: `SyncFailure` with `.unverifiable` for a server that returns no digests.
    func readers(
        of server: HealthDestination
    ) async throws -> (any ServerSampleReader, (any ServerRecordReader)?, hasNights: Bool) {
        guard server.reader != nil else { throw Self.unverifiable(server) }
        switch await server.sender.capabilities() {
        case .capabilities(let capabilities):
            guard capabilities.digests, let reader = server.reader else { throw Self.unverifiable(server) }
            return (reader, capabilities.recordDigests ? server.recordReader : nil, capabilities.sleepNights)
        case .failed(let verdict):
            throw SyncFailure(
                .serverUnavailable, subject: server.address,
                reason: verdict.trouble ?? "it does not report what it accepts",
                advice: verdict.needsUser
                    ? "nothing was verified; then run `healthsync verify` again"
                    : "nothing was verified; try again later")
        }
    }

    private static func unverifiable(_ server: HealthDestination) -> SyncFailure {
        SyncFailure(
            .unverifiable, subject: server.address,
            reason: "this destination cannot be verified, because it returns no digests of its records",
            advice: "use a server that returns digests, such as `healthsync serve`")
    }

    /// From 1900 up to but not including 2201: the range that servers accept.
    private static let acceptedTimes = InstantRange(
        start: CalendarDay(ordinal: -25_567).utcStart, end: CalendarDay(ordinal: 84_371).utcStart)
}

/// The differences between the local store and a server.
package struct VerificationReport: Sendable, Hashable {
    /// The result for one type.
    package struct TypeResult: Sendable, Hashable {
        package var type: SampleType
        /// Local samples on the requested days.
        package var localCount: Int
        /// Intervals that differ, ascending.
        package var differences: [IntervalDifference]

        package init(type: SampleType, localCount: Int, differences: [IntervalDifference]) {
            self.type = type
            self.localCount = localCount
            self.differences = differences
        }

        /// Returns the number of differing samples of `kind`.
        package func count(_ kind: SampleDifference.Kind) -> Int {
            differences.reduce(0) { $0 + $1.samples.count { $0.kind == kind } }
        }

        /// The number of samples on the server on the requested days.
        package var serverCount: Int { localCount - count(.missing) + count(.surplus) }
    }

    /// The server's base address.
    package var destination: String
    package var types: [TypeResult]
    /// The result for derived records; `nil` if they were not requested or the server does not support it.
    package var records: RecordVerification?
    /// Whether derived records were requested but the server does not support it.
    package var isRecordless = false
    /// Days whose derived records are not up to date locally, regardless of the server; empty if derived records were
    /// not requested.
    package var outOfDate = OutOfDateDays()
    /// The items that wait for the server, a reason of differences that the next delivery ends.
    package var waiting = WaitingCount()

    package init(destination: String, types: [TypeResult]) {
        self.destination = destination
        self.types = types
    }

    /// Whether the compared data of the server equals that of the local store.
    package var isEqual: Bool { types.allSatisfy(\.differences.isEmpty) && records?.isEqual ?? true }

    /// The number of samples and derived records that differ.
    package var differing: Int {
        types.reduce(records?.differing ?? 0) { $0 + $1.differences.reduce(0) { $0 + $1.samples.count } }
    }
}

/// The stored result of the last verification of a server.
package struct StoredVerdict: Sendable {
    let ports: EnginePorts

    /// Returns the last verification of the server at `destination`, and whether anything changed since.
    package func state(of destination: String) async throws -> VerificationState {
        guard let last = try await ports.verifications.lastVerification(of: destination) else {
            return VerificationState(last: nil, hasChangedSince: false)
        }
        let runs = try await ports.runs.lastRuns(limit: EngineSettings.runsKept)
        // An equal server lacked nothing that waits now.
        let isBehind =
            last.verdict == .equal ? try await !ports.outbox.waiting(destination: destination).isEmpty : false
        return VerificationState(
            last: last, hasChangedSince: isBehind || runs.contains { $0.hasChangedSomething(after: last.at) })
    }

    /// Stores the result of a complete verification.
    package func remember(_ report: VerificationReport) async throws {
        var verification = Verification(at: ports.time.now(), verdict: .different)
        verification.records = report.records?.compared ?? 0
        verification.samples = report.types.reduce(0) { $0 + $1.localCount }
        verification.differing = report.differing
        if report.isEqual { verification.verdict = report.isRecordless ? .unverifiable : .equal }
        if report.isEqual && report.isRecordless {
            verification.reason = "the server returns no digests of derived records"
        }
        try await ports.verifications.setLastVerification(verification, of: report.destination)
    }

    /// Stores that the server could not be verified because of `failure`. Other failures are ignored.
    package func remember(_ failure: SyncFailure) async throws {
        guard let destination = ports.server?.address else { return }
        let verdicts: [SyncFailure.Code: Verification.Verdict] = [
            .unverifiable: .unverifiable, .serverUnavailable: .unreachable,
        ]
        guard let verdict = verdicts[failure.code] else { return }
        var verification = Verification(at: ports.time.now(), verdict: verdict)
        verification.reason = String(failure.reason.prefix(500))
        try await ports.verifications.setLastVerification(verification, of: destination)
    }
}

extension RecordedRun {
    /// Returns whether the run began after `instant` and changed or sent anything, as far as is known.
    fileprivate func hasChangedSomething(after instant: Instant) -> Bool {
        guard startedAt > instant else { return false }
        // The account of an interrupted run lacks what it did last.
        guard let end, ![.cutOff, .cancelled].contains(end.ending) else { return true }
        let account = end.account
        return account.changedRecords > 0 || account.reading.stored > 0 || account.reading.deleted > 0
            || account.delivery?.delivered ?? 0 > 0
    }
}
