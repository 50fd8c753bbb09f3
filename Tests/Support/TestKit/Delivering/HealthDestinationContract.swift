import HealthSyncDomain
import HealthSyncPorts

/// The contract of `HealthDestination`: of its encoder and its sender.
///
/// ```swift
/// @Test(arguments: HealthDestinationContract.clauses { try fixture() })
/// func keepsTheContract(_ clause: ContractClause) async throws { try await clause.check() }
/// ```
public enum HealthDestinationContract {
    /// Returns the clauses, each with its own fixture from `make`.
    public static func clauses(
        _ make: @escaping @Sendable () async throws -> HealthDestinationFixture
    ) -> [ContractClause] {
        (encoding(make) + delivering(make) + repeating(make) + failing(make)).limited
    }

    typealias Make = @Sendable () async throws -> HealthDestinationFixture

    private static func encoding(_ make: @escaping Make) -> [ContractClause] {
        [
            ContractClause("has the same address whenever it is opened") {
                let fixture = try await make()
                try ContractViolation.unlessEqual(
                    try await fixture.open().address, try await fixture.open().address, "the address")
            },
            ContractClause("has one address for every spelling of it") {
                let fixture = try await make()
                guard let other = fixture.openByOtherSpelling else { return }
                try ContractViolation.unlessEqual(
                    try await other().address, try await fixture.open().address, "the address by another spelling")
            },
            ContractClause("encodes equal records as equal bytes in every instance") {
                let fixture = try await make()
                let first = DestinationSamples.payloads(by: try await fixture.open().encoder)
                for _ in 0..<3 {
                    let second = DestinationSamples.payloads(by: try await fixture.open().encoder)
                    try ContractViolation.unless(first == second, "equal records have different payloads")
                }
                try ContractViolation.unless(!first.contains([]), "a record has an empty payload")
            },
            ContractClause("encodes each record and each revision as different bytes") {
                let fixture = try await make()
                defer { withExtendedLifetime(fixture) {} }
                let destination = try await fixture.open()
                let payloads = DestinationSamples.payloads(by: destination.encoder)
                try ContractViolation.unless(
                    Set(payloads).count == payloads.count, "different records have equal payloads; include the id")
                let higher = DestinationSamples.payloads(by: destination.encoder, revision: 2)
                try ContractViolation.unless(
                    Set(payloads).isDisjoint(with: higher),
                    "two revisions of a record have equal payloads; include the revision")
                let bench = DestinationBench(destination)
                let capabilities = try await bench.capabilities()
                let keys = [("a", 1), ("a", 2), ("b", 1)].map { id, revision in
                    let tombstone = bench.tombstone(id, kind: .progress, revision: revision)
                    return bench.batch([tombstone], capabilities: capabilities).key
                }
                try ContractViolation.unless(
                    Set(keys).count == keys.count, "different deletions are equal; include id and revision")
            },
            ContractClause("makes equal batches of equal records in every instance") {
                let fixture = try await make()
                let (first, second) = (try await fixture.open(), try await fixture.open())
                let capabilities = try await DestinationBench(first).capabilities()
                for (left, right) in zip(
                    DestinationSamples.batches(for: first, capabilities),
                    DestinationSamples.batches(for: second, capabilities))
                {
                    try ContractViolation.unless(
                        left.body == right.body && left.path == right.path && left.key == right.key,
                        "equal records of \(left.kind.rawValue) give different batches")
                }
            },
            ContractClause("encodes raw samples, if it accepts any, as equal bytes") {
                let fixture = try await make()
                defer { withExtendedLifetime(fixture) {} }
                guard let encoder = try await fixture.open().sampleEncoder else { return }
                let payload = { DestinationSamples.samplePayload(by: encoder) }
                try ContractViolation.unless(payload() == payload(), "equal samples have different payloads")
                try ContractViolation.unless(!payload().isEmpty, "samples have an empty payload")
            },
        ]
    }

    private static func delivering(_ make: @escaping Make) -> [ContractClause] {
        [
            ContractClause("accepts a kind of record, within positive limits") {
                let fixture = try await make()
                defer { withExtendedLifetime(fixture) {} }
                let capabilities = try await DestinationBench(try await fixture.open()).capabilities()
                try ContractViolation.unless(
                    !capabilities.batchLimits.isEmpty && capabilities.batchLimits.values.allSatisfy { $0 > 0 }
                        && capabilities.maxBatchBytes > 0, "no kind, or a limit below 1: \(capabilities)")
            },
            ContractClause("delivers every record, with a verdict for each") {
                let fixture = try await make()
                defer { withExtendedLifetime(fixture) {} }
                let destination = try await fixture.open()
                let capabilities = try await DestinationBench(destination).capabilities()
                for batch in DestinationSamples.batches(for: destination, capabilities) {
                    let before = try await fixture.storedCount()
                    let verdict = await destination.sender.send(batch, capabilities: capabilities)
                    try requireDelivered(verdict, batch)
                    try ContractViolation.unless(
                        try await fixture.storedCount() > before,
                        "a delivered batch of \(batch.kind.rawValue) is not stored")
                }
            },
            ContractClause("stores as many records of one batch as of several") {
                try ContractViolation.unlessEqual(
                    try await countOfOneDelivery(try await make()),
                    try await countOfOneDelivery(try await make(), eachRecordAlone: true),
                    "stored records of one batch of each kind, compared with batches of one record")
            },
            ContractClause("delivers a deletion, if it accepts any, with one verdict") {
                let fixture = try await make()
                let destination = try await fixture.open()
                let bench = DestinationBench(destination)
                let capabilities = try await bench.capabilities()
                guard capabilities.acceptsDeletions else { return }
                for batch in DestinationSamples.batches(for: destination, capabilities) {
                    try requireDelivered(await destination.sender.send(batch, capabilities: capabilities), batch)
                    guard let id = batch.recordIDs.first?.first else { continue }
                    let tombstone = bench.batch(
                        [bench.tombstone(id, kind: batch.kind, revision: 2)], capabilities: capabilities)
                    try requireDelivered(
                        await destination.sender.send(tombstone, capabilities: capabilities), tombstone)
                }
            },
            ContractClause("delivers several batches at once") {
                let fixture = try await make()
                defer { withExtendedLifetime(fixture) {} }
                let destination = try await fixture.open()
                let capabilities = try await DestinationBench(destination).capabilities()
                let batches = DestinationSamples.batches(for: destination, capabilities)
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for batch in batches {
                        group.addTask {
                            let verdict = await destination.sender.send(batch, capabilities: capabilities)
                            try requireDelivered(verdict, batch)
                        }
                    }
                    try await group.waitForAll()
                }
                try ContractViolation.unlessEqual(
                    try await fixture.storedCount(), try await countOfOneDelivery(try await make()), "stored records")
            },
        ]
    }

    private static func repeating(_ make: @escaping Make) -> [ContractClause] {
        [
            ContractClause("stores nothing more when a batch is sent again, even after a restart") {
                let fixture = try await make()
                let expected = try await countOfOneDelivery(fixture)
                for attempt in ["in another process", "once more"] {
                    let again = try await countOfOneDelivery(fixture)
                    try ContractViolation.unlessEqual(again, expected, "stored records after sending \(attempt)")
                }
            },
            ContractClause("sends a batch again after its task was cancelled, and stores it once") {
                let fixture = try await make()
                defer { withExtendedLifetime(fixture) {} }
                let destination = try await fixture.open()
                let capabilities = try await DestinationBench(destination).capabilities()
                for batch in DestinationSamples.batches(for: destination, capabilities) {
                    let cancelled = Task {
                        withUnsafeCurrentTask { $0?.cancel() }
                        return await destination.sender.send(batch, capabilities: capabilities)
                    }
                    if case .items(let verdicts, _) = await cancelled.value {
                        try ContractViolation.unlessEqual(verdicts.count, batch.recordIDs.count, "verdicts")
                    }
                }
                try ContractViolation.unlessEqual(
                    try await countOfOneDelivery(fixture), try await countOfOneDelivery(try await make()),
                    "stored records")
            },
        ]
    }

    /// Sends the batches one after another; returns the number of stored records.
    private static func countOfOneDelivery(
        _ fixture: HealthDestinationFixture, eachRecordAlone: Bool = false
    ) async throws -> Int {
        let destination = try await fixture.open()
        let capabilities = try await DestinationBench(destination).capabilities()
        let size = eachRecordAlone ? 1 : Int.max
        for batch in DestinationSamples.batches(for: destination, capabilities, ofAtMost: size) {
            try requireDelivered(await destination.sender.send(batch, capabilities: capabilities), batch)
        }
        return try await fixture.storedCount()
    }

    static func requireDelivered(_ verdict: BatchVerdict, _ batch: OutboxBatch) throws {
        guard case .items(let verdicts, _) = verdict else {
            throw ContractViolation("a batch of \(batch.kind.rawValue) was not delivered: \(verdict)")
        }
        let known = verdicts.map { verdict -> ItemVerdict in
            if case .stored = verdict { .delivered } else { verdict }
        }
        try ContractViolation.unlessEqual(
            known, batch.recordIDs.map { _ in .delivered }, "the verdicts for a batch of \(batch.kind.rawValue)")
    }
}
