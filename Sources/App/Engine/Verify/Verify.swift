package import HealthSyncDomain
import HealthSyncPorts

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
