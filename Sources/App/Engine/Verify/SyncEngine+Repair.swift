package import HealthSyncDomain
import HealthSyncPorts

extension SyncEngine {
    /// Makes the server's raw samples of `types`, and where `records` its derived records, equal to those of the local
    /// database, and verifies it. What waits in the outbox is
    /// sent first, so that it is not taken for missing; where that fails nothing is enqueued. Returns `nil` when no server
    /// is configured.
    ///
    /// An interrupted repair leaves what is enqueued in the outbox; the next one goes on. Each delivery begins no request
    /// after `deadlineSeconds`.
    ///
    /// - Throws: what `verify` throws; a server that cannot be verified is sent nothing. `SyncFailure` with
    ///   `.tooManyDeletions`, before anything is changed there, when more than a fifth of what the server has would be
    ///   deleted without `allowDeletions`: home may be the side that lost something.
    package func repair(
        types: [SampleTypeDefinition], records: Bool = false, days: DayRange?, allowDeletions: Bool,
        deadlineSeconds: Int64?
    ) async throws -> RepairReport? {
        guard let server = ports.server else { return nil }
        let verify = { try await self.verify(types: types, records: records, days: days) }
        return try await recorded(.repair, days: days) { run in
            _ = try await readers(of: server)
            for definition in types { _ = try await layering.performLayering(of: definition) }
            try await repair(
                days: days, allowDeletions: allowDeletions, deadlineSeconds: deadlineSeconds, of: server, into: &run,
                verify: verify)
        }.repair
    }

    private func repair(
        days: DayRange?, allowDeletions: Bool, deadlineSeconds: Int64?, of server: EnginePorts.Server,
        into run: inout RunReport, verify: () async throws -> VerificationReport?
    ) async throws {
        run.delivery = try await deliver(deadlineSeconds: deadlineSeconds, resuming: true)
        guard let waiting = run.delivery, let found = try await verify() else { return }
        var report = RepairReport(found: found, delivery: waiting)
        defer {
            run.delivery = report.delivery
            run.repair = report
        }
        // Where nothing waits a delivery does not ask.
        if ports.hold.isSet() { report.delivery.ending = .held }
        guard report.delivery.ending == .finished else { return }
        if !allowDeletions { try refuseSuspiciousDeletion(found) }
        let repair = SampleRepair(
            intervals: ports.intervals, destination: server.encoder.destination,
            range: days.map(settings.clock.interval(of:)))
        let records = RecordRepair(ports: ports, encoder: server.encoder)
        for attempt in 0..<Self.mostAttempts where !report.left.isEqual {
            for result in report.left.types where !result.differences.isEmpty {
                report.counts += try await repair.enqueue(result, attempt: attempt)
            }
            for result in report.left.records?.kinds ?? [] where !result.differences.isEmpty {
                report.counts += try await records.enqueue(result, attempt: attempt)
            }
            guard let delivery = try await deliver(deadlineSeconds: deadlineSeconds),
                let left = try await verify()
            else { return }
            report.delivery = delivery
            report.left = left
            if delivery.failure != nil { break }
        }
    }

    private func refuseSuspiciousDeletion(_ report: VerificationReport) throws {
        for result in report.records?.kinds ?? [] {
            let surplus = result.differences.count { $0.kind == .surplus && !$0.isKnownDeletion }
            guard surplus * 5 > result.serverCount else { continue }
            throw SyncFailure(
                .tooManyDeletions, subject: report.destination,
                reason:
                    "\(surplus) of its \(result.serverCount) records of \(result.kind.rawValue) are not in the local"
                    + " database, which may be the side that lost them; nothing was deleted",
                advice: "run again with --allow-deletions if they are to be deleted")
        }
        for result in report.types {
            let surplus = result.count(.surplus)
            guard surplus * 5 > result.serverCount else { continue }
            throw SyncFailure(
                .tooManyDeletions, subject: report.destination,
                reason: "\(surplus) of its \(result.serverCount) samples of \(result.type.shortName) are not at home,"
                    + " and it may be home that lacks them; none was deleted",
                advice: "run again with --allow-deletions if they are to be deleted")
        }
    }

    /// Outranks deletions up to revision 4,367.
    private static let mostAttempts = 4
}
