package import HealthSyncDomain
import HealthSyncPorts

extension SyncEngine {
    /// Compares the raw samples of `types` of the local database, and where `records` all derived records, with those of the
    /// server; changes nothing. `days` are calendar days of the user, and a sample belongs to the day that contains its
    /// start; `nil` for all. Returns `nil` when no server is configured.
    ///
    /// - Throws: `SyncFailure` with `.unverifiable` for a server that answers no digests or contradicts itself, with
    ///   `.serverUnavailable` for one that does not answer to its end: then nothing is known.
    package func verify(
        types: [SampleTypeDefinition], records: Bool = false, days: DayRange?
    ) async throws -> VerificationReport? {
        guard let server = ports.server else { return nil }
        let (reader, recordReader) = try await readers(of: server)
        var report = VerificationReport(destination: server.encoder.destination, types: [])
        for definition in types.sorted(by: { $0.type < $1.type }) {
            report.types.append(try await verify(definition, days: days, reader: reader))
        }
        guard records else { return report }
        report.outOfDate = try await outOfDateDays()
        if let recordReader {
            report.records = try await RecordVerifier(
                local: LocalRecords(ports: ports), server: recordReader, destination: report.destination,
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
        let home = try await HomeSamples(loader, covering: range, progress: ports.progress)
        let walk = DigestWalk(
            type: definition.type, home: home, server: reader, progress: ports.progress)
        return VerificationReport.TypeResult(
            type: definition.type, homeCount: home.count, differences: try await walk.differences())
    }

    /// Whole roots, from the earliest to the latest sample that home or a server may have.
    private func everything(_ type: SampleType) async throws -> InstantRange {
        var range = Self.timesServersTake
        if let days = try await ports.pages.dayExtent(of: [type]) {
            range.start = min(range.start, days.first.utcStart)
            range.end = max(range.end, days.last.advanced(by: 1).utcStart)
        }
        return InstantRange(
            start: GridInterval.root(containing: range.start).start,
            end: GridInterval.root(containing: range.end).end)
    }

    /// What asks the server for its samples and, where it answers for them, its derived records.
    ///
    /// - Throws: `SyncFailure` with `.unverifiable` for a server that answers no digests.
    func readers(
        of server: EnginePorts.Server
    ) async throws -> (any ServerSampleReader, (any ServerRecordReader)?) {
        switch await server.sender.capabilities() {
        case .capabilities(let capabilities):
            guard capabilities.digests, let reader = server.reader else {
                throw SyncFailure(
                    .unverifiable, subject: server.encoder.destination, reason: "this server cannot be verified",
                    advice: "it answers no digests, as `healthsync serve` does")
            }
            return (reader, capabilities.recordDigests ? server.recordReader : nil)
        case .failed(let verdict):
            throw SyncFailure(
                .serverUnavailable, subject: server.encoder.destination,
                reason: verdict.trouble ?? "the server does not say what it can do",
                advice: "nothing was verified; try again later")
        }
    }

    /// From 1900 up to and without 2201.
    private static let timesServersTake = InstantRange(
        start: CalendarDay(ordinal: -25_567).utcStart, end: CalendarDay(ordinal: 84_371).utcStart)
}
