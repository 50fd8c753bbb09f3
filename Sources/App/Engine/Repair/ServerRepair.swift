package import HealthSyncDomain
import HealthSyncPorts

/// Makes the server equal to the local store, and verifies the result.
package struct ServerRepair: Sendable {
    let ports: EnginePorts
    let settings: EngineSettings

    /// Makes the server's raw samples of `types`, and its derived records if `records`, equal to the local ones, and
    /// verifies the result. Queued items are sent first, because they would be found missing otherwise; if that
    /// fails, nothing is enqueued. Returns `nil` if no server is configured.
    ///
    /// After an interruption, the enqueued items stay in the outbox and the next repair continues. No request of a
    /// delivery begins after `deadlineSeconds`.
    ///
    /// - Throws: The errors of `verify`; nothing is sent to a server that cannot be verified. `SyncFailure` with
    ///   `.tooManyDeletions`, before anything is changed on the server, if more than a fifth of its samples or
    ///   records would be deleted without `allowDeletions`: the local store may be the one that lost data.
    package func run(
        types: [SampleTypeDefinition], records: Bool = false, days: DayRange?, allowDeletions: Bool,
        deadlineSeconds: Int64?
    ) async throws -> RepairReport? {
        guard let server = ports.server else { return nil }
        let verify = Verify(ports: ports, settings: settings)
        return try await RunRecorder(ports: ports).run(.repair, days: days) { run in
            _ = try await verify.readers(of: server)
            let layering = LayeringService(ports: ports, limits: settings.layering)
            for definition in types { _ = try await layering.performLayering(of: definition) }
            try await repair(
                days: days, allowDeletions: allowDeletions, deadlineSeconds: deadlineSeconds, of: server, into: &run
            ) { try await verify.run(types: types, records: records, days: days) }
        }.repair
    }

    private func repair(
        days: DayRange?, allowDeletions: Bool, deadlineSeconds: Int64?, of server: HealthDestination,
        into run: inout RunReport, verify: () async throws -> VerificationReport?
    ) async throws {
        let delivery = DeliveryStep(ports: ports, settings: settings)
        run.delivery = try await delivery.run(deadlineSeconds: deadlineSeconds, resuming: true)
        guard let waiting = run.delivery, let found = try await verify() else { return }
        var report = RepairReport(found: found, delivery: waiting)
        defer {
            run.delivery = report.delivery
            run.repair = report
        }
        // A delivery without queued items does not check whether it is paused.
        if ports.hold.isSet() {
            report.delivery.ending = .held
            report.delivery.heldSince = ports.hold.since()
        }
        guard report.delivery.ending == .finished else { return }
        if !allowDeletions { try rejectSuspiciousDeletion(found) }
        let repair = SampleRepair(
            intervals: ports.intervals, destination: server.address,
            range: days.map(settings.clock.interval(of:)))
        let records = RecordRepair(ports: ports, destination: server)
        for attempt in 0..<Self.attemptLimit where !report.left.isEqual {
            for result in report.left.types where !result.differences.isEmpty {
                report.counts += try await repair.enqueue(result, attempt: attempt)
            }
            for result in report.left.records?.kinds ?? [] where !result.differences.isEmpty {
                report.counts += try await records.enqueue(result, attempt: attempt)
            }
            guard let sent = try await delivery.run(deadlineSeconds: deadlineSeconds),
                let left = try await verify()
            else { return }
            report.delivery = sent
            report.left = left
            if sent.failure != nil { break }
        }
    }

    private func rejectSuspiciousDeletion(_ report: VerificationReport) throws {
        func check(_ surplus: Int, of count: Int, _ objects: String) throws {
            guard surplus * 5 > count else { return }
            throw SyncFailure(
                .tooManyDeletions, subject: report.destination,
                reason: "\(surplus) of its \(count) \(objects) are not in the local database, "
                    + "which may be the side that lost them; nothing was deleted",
                advice: "run again with --allow-deletions to delete them")
        }
        for result in report.records?.kinds ?? [] {
            let surplus = result.differences.count { $0.kind == .surplus && !$0.isKnownDeletion }
            try check(surplus, of: result.serverEntries, "records of \(result.kind.rawValue)")
        }
        for result in report.types {
            try check(result.count(.surplus), of: result.serverCount, "samples of \(result.type.shortName)")
        }
    }

    /// Supersedes deletions up to revision 4,367.
    private static let attemptLimit = 4
}
