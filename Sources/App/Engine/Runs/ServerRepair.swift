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

/// The result of a repair.
package struct RepairReport: Sendable {
    /// The differences found after the queued items had been sent.
    package var found: VerificationReport
    package var counts = RepairCounts()
    /// The remaining differences; empty if the repair succeeded.
    package var left: VerificationReport
    /// The last delivery.
    package var delivery: DeliveryReport

    package init(found: VerificationReport, delivery: DeliveryReport) {
        self.found = found
        left = found
        self.delivery = delivery
    }
}

/// The numbers of samples and records that a repair enqueued.
package struct RepairCounts: Sendable, Hashable {
    /// Samples sent, counting repeated attempts.
    package var sent = 0
    /// Samples deleted on the server.
    package var deleted = 0
    /// Derived records sent, counting repeated attempts.
    package var recordsSent = 0
    /// Derived records deleted on the server.
    package var recordsDeleted = 0

    package init() {}

    /// Adds `other`.
    static func += (left: inout RepairCounts, right: RepairCounts) {
        left.sent += right.sent
        left.deleted += right.deleted
        left.recordsSent += right.recordsSent
        left.recordsDeleted += right.recordsDeleted
    }
}

/// Enqueues exactly the changes that make a server's samples of one type equal to the local ones. Missing and changed
/// samples are sent; surplus samples are deleted.
private struct SampleRepair {
    let intervals: any SyncIntervalStore
    let destination: String
    /// The range that was compared; `nil` for all samples.
    let range: InstantRange?

    /// Enqueues the changes in one transaction; returns the numbers of samples to be sent and deleted.
    ///
    /// - Parameter attempt: 0 for the first attempt. A sample that is still missing after it was sent was deleted on
    ///   the server under an unknown higher revision, so each further attempt raises the revision more.
    func enqueue(_ result: VerificationReport.TypeResult, attempt: Int) async throws -> RepairCounts {
        guard let known = try await intervals.layeredTypes()[result.type] else { return RepairCounts() }
        let revisions = try await intervals.revisions(of: result.type)
        let leaves = IntervalSequence(intervals: try await intervals.intervals(of: result.type))
        var commit = LayeringCommit(type: result.type, rule: known.rule)
        var sent: [SyncInterval: [SampleID]] = [:]
        var counts = RepairCounts()
        for sample in result.differences.flatMap(\.samples) {
            let revision = revisions[sample.id]?.revision ?? 0
            let next = Self.revision(of: sample, known: revision, attempt: attempt)
            if next > revision {
                commit.revisions.append(
                    SampleRevision(id: sample.id, revision: next, isDeleted: sample.kind == .surplus))
            }
            if sample.kind == .surplus {
                commit.outbox.append(
                    .tombstone(of: sample.id, type: result.type, destination: destination, revision: next))
                counts.deleted += 1
            } else if let leaf = leaves.containing(sample.start) {
                sent[leaf, default: []].append(sample.id)
                counts.sent += 1
            }
        }
        let offered = try await intervals.deliveries(of: result.type)[destination] ?? [:]
        for (leaf, ids) in sent.sorted(by: { $0.key.interval.start < $1.key.interval.start }) {
            let isWhole =
                ids.count == leaf.figures.sampleCount
                || (offered[leaf.interval.start] == nil && !wasCompared(leaf.interval))
            commit.outbox.append(
                .slice(
                    of: leaf, type: result.type, destination: destination, generation: known.generation + 1,
                    only: isWhole ? [] : ids))
        }
        _ = try await intervals.commit(commit)
        return counts
    }

    /// Returns whether the whole interval was compared. If only a part was, the server may lack other samples of it;
    /// and sending a part would mark the interval as synced.
    private func wasCompared(_ interval: GridInterval) -> Bool {
        range.map { $0.start <= interval.start && interval.end <= $0.end } ?? true
    }

    private static func revision(of sample: SampleDifference, known: Int, attempt: Int) -> Int {
        let (highest, step) =
            switch sample.kind {
            case .missing: (known, attempt == 0 ? 0 : 1 << (4 * attempt))
            case .changed, .surplus: (max(known, sample.revision), 1)
            }
        // A server may return any number.
        return max(known, min(min(highest, RevisionClock.largest) + step, RevisionClock.largest))
    }
}

/// Enqueues exactly the changes that make the derived records of a server equal to the local ones. Missing and
/// changed records are sent with a revision above all known ones; surplus records are deleted.
private struct RecordRepair {
    let ports: EnginePorts
    let destination: HealthDestination

    /// Enqueues the changes, one transaction for each year; returns their number. Each further `attempt` raises the
    /// revisions more, because a record that stays missing was deleted on the server under an unknown revision.
    func enqueue(_ result: RecordVerification.KindResult, attempt: Int) async throws -> RepairCounts {
        let revisions = RevisionClock(ports.time)
        let raise = attempt == 0 ? 0 : 1 << (4 * attempt)
        var counts = RepairCounts()
        var sent: [String: Int] = [:]
        for difference in result.differences where difference.kind == .missing || difference.kind == .changed {
            sent[difference.id] = Self.raised(difference.revision, by: raise)
        }
        if !sent.isEmpty {
            try await LocalRecords(ports: ports, hasNights: true).forEachYear(of: nil) { records in
                var resent = ResentRecords()
                if result.kind == .progress {
                    for var record in records.progress {
                        let known = record.record.entryIDs.compactMap { sent[$0] }
                        guard let highest = known.max() else { continue }
                        counts.recordsSent += known.count
                        record.revision = revisions.next(after: record.revision, highest)
                        resent.progress.append(record)
                    }
                } else if result.kind == .sleep {
                    for var record in records.sleep {
                        guard let highest = sent[record.sourceID] else { continue }
                        counts.recordsSent += 1
                        record.revision = revisions.next(after: record.revision, highest)
                        resent.sleep.append(record)
                    }
                } else {
                    for var record in records.snapshots {
                        guard let highest = sent[record.entry.id] else { continue }
                        counts.recordsSent += 1
                        record.revision = revisions.next(after: record.revision, highest)
                        resent.snapshots.append(record)
                    }
                }
                try await store(resent)
            }
        }
        try await delete(result, revisions, raise: raise, &counts)
        return counts
    }

    private func delete(
        _ result: RecordVerification.KindResult, _ revisions: RevisionClock, raise: Int, _ counts: inout RepairCounts
    ) async throws {
        let deleted = result.differences.filter { $0.kind == .surplus || $0.kind == .undeleted }
        guard !deleted.isEmpty else { return }
        let known = Dictionary(
            try await LocalRecords(ports: ports, hasNights: true).removed().map { ($0.sourceID, $0) },
            uniquingKeysWith: { $1 })
        var resent = ResentRecords()
        for difference in deleted {
            let before = known[difference.id]
            let revision = revisions.next(after: before?.revision, Self.raised(difference.revision, by: raise))
            resent.removed.append(
                Tombstone(
                    sourceID: difference.id, kind: result.kind, revision: revision,
                    orderingKey: before?.orderingKey ?? Self.orderingKey(of: difference.id, kind: result.kind)))
            counts.recordsDeleted += 1
        }
        try await store(resent)
    }

    private func store(_ resent: ResentRecords) async throws {
        var resent = resent
        resent.outbox =
            resent.progress.map { destination.item(for: $0) } + resent.sleep.map { destination.item(for: $0) }
        resent.outbox +=
            resent.snapshots.map { destination.item(for: $0) } + resent.removed.map { destination.tombstone($0) }
        if !resent.outbox.isEmpty { try await ports.tracking.resend(resent) }
    }

    /// Returns the ordering key of a record. Entries of a day (`steps/day/2024-01-15`, `steps/hour/2024-01-15/…`) are
    /// ordered by their day.
    private static func orderingKey(of id: String, kind: RecordKind) -> String {
        let parts = id.split(separator: "/", omittingEmptySubsequences: false)
        guard kind == .progress, parts.count > 2, parts[1] == "day" || parts[1] == "hour" else { return id }
        return "\(parts[0])/\(parts[2])"
    }

    /// Limited, because a server may return any number.
    private static func raised(_ revision: Int, by step: Int) -> Int {
        min(min(revision, RevisionClock.largest) + step, RevisionClock.largest)
    }
}
