import HealthSyncDomain
import HealthSyncPorts
import Synchronization

/// What every `HealthDataSource` guarantees, as clauses that any test framework can run.
public enum HealthDataSourceContract {
    /// Returns the clauses for the source of `fixture`.
    public static func clauses(for fixture: HealthDataSourceFixture) -> [ContractClause] {
        (readingClauses(fixture) + selectionClauses(fixture) + receivingClauses(fixture) + faultClauses(fixture))
            .limited
    }

    private static func readingClauses(_ fixture: HealthDataSourceFixture) -> [ContractClause] {
        let source = fixture.source(fixture.whole)
        return [
            ContractClause("Reading again delivers the same samples and the same account") {
                let first = try await CollectedReading.collect(source, fixture.selection)
                let second = try await CollectedReading.collect(source, fixture.selection)
                try ContractViolation.unless(!first.samples.isEmpty, "the fixture delivered no samples")
                try requireSame(second, first)
            },
            ContractClause("Every sample is delivered once, as the fixture expects it") {
                let reading = try await CollectedReading.collect(source, fixture.selection)
                try ContractViolation.unless(!fixture.expected.isEmpty, "the fixture expects no samples")
                try ExpectedSamples(fixture.expected).require(reading.samples)
            },
            ContractClause("Concurrent readings deliver the same samples") {
                async let left = CollectedReading.collect(source, fixture.selection)
                async let right = CollectedReading.collect(source, fixture.selection)
                try requireSame(try await left, try await right)
            },
            ContractClause("Reading does not change the fingerprint") {
                let before = try await source.fingerprint()
                _ = try await CollectedReading.collect(source, fixture.selection)
                try ContractViolation.unlessEqual(try await source.fingerprint(), before, "fingerprint")
            },
            ContractClause("Sources of different content have different fingerprints") {
                let whole = try await source.fingerprint()
                for path in [fixture.truncated, fixture.broken] {
                    let other = try await fixture.source(path).fingerprint()
                    try ContractViolation.unless(
                        whole.content != other.content, "\(fixture.whole) and \(path) have equal fingerprints")
                }
            },
        ]
    }

    private static func selectionClauses(_ fixture: HealthDataSourceFixture) -> [ContractClause] {
        let source = fixture.source(fixture.whole)
        return [
            ContractClause("Only selected types are delivered, in the selected unit") {
                let reading = try await CollectedReading.collect(source, fixture.selection)
                let units = Dictionary(
                    fixture.selection.types.map { ($0.type, $0.unit) }, uniquingKeysWith: { first, _ in first })
                for sample in reading.samples {
                    try ContractViolation.unlessEqual(
                        sample.unit, units[sample.type], "unit of \(sample.type.rawValue)")
                }
                try ContractViolation.unless(
                    fixture.hasOneType || reading.account.notSelected > 0, "nothing was counted as not selected")
                try requireSum(reading)
            },
            ContractClause("With other types included, no record counts as not selected") {
                var all = fixture.selection
                all.includesOtherTypes = true
                let some = try await CollectedReading.collect(source, fixture.selection)
                let reading = try await CollectedReading.collect(source, all)
                try ContractViolation.unlessEqual(reading.account.notSelected, 0, "records not selected")
                try ContractViolation.unless(
                    fixture.hasOneType || reading.samples.count > some.samples.count, "no other type was delivered")
                try requireSum(reading)
            },
            ContractClause("An empty selection delivers nothing and accounts for every record") {
                let reading = try await CollectedReading.collect(source, SampleSelection(types: []))
                try ContractViolation.unlessEqual(reading.samples.count, 0, "samples delivered")
                try ContractViolation.unless(reading.account.recordsRead > 0, "no record was counted")
                try requireSum(reading)
            },
        ]
    }

    private static func receivingClauses(_ fixture: HealthDataSourceFixture) -> [ContractClause] {
        let source = fixture.source(fixture.whole)
        return [
            ContractClause("An error that the receiver throws ends the reading and is rethrown") {
                struct Rejection: Error {}
                let calls = Mutex(0)
                do {
                    _ = try await source.read(fixture.selection) { _ in
                        calls.withLock { $0 += 1 }
                        throw Rejection()
                    }
                    throw ContractViolation("the reading continued")
                } catch is Rejection {}
                try ContractViolation.unlessEqual(calls.withLock { $0 }, 1, "calls of the receiver")
            },
            ContractClause("The receiver is called by one thread at a time and never after the return") {
                let state = Mutex((inside: 0, overlapped: false, returned: false, late: false))
                _ = try await source.read(fixture.selection) { _ in
                    state.withLock {
                        $0.inside += 1
                        $0.overlapped = $0.overlapped || $0.inside > 1
                        $0.late = $0.late || $0.returned
                    }
                    state.withLock { $0.inside -= 1 }
                }
                let end = state.withLock { state in
                    state.returned = true
                    return state
                }
                try ContractViolation.unless(!end.overlapped && !end.late, "calls overlapped or followed the return")
            },
            ContractClause("Cancellation after the first of several batches ends the reading with CancellationError") {
                let batches = Mutex(0)
                _ = try await source.read(fixture.selection) { _ in batches.withLock { $0 += 1 } }
                guard batches.withLock({ $0 }) > 1 else { return }
                let reader = Mutex<Task<Void, any Error>?>(nil)
                let task = Task {
                    while reader.withLock({ $0 == nil }) { await Task.yield() }
                    _ = try await source.read(fixture.selection) { _ in reader.withLock { $0?.cancel() } }
                }
                reader.withLock { $0 = task }
                try requireCancellation(await task.result)
            },
            ContractClause("Cancellation of the calling task ends the reading with CancellationError") {
                let task = Task {
                    withUnsafeCurrentTask { $0?.cancel() }
                    _ = try await source.read(fixture.selection) { _ in }
                }
                try requireCancellation(await task.result)
            },
        ]
    }

    private static func requireCancellation(_ result: Result<Void, any Error>) throws {
        switch result {
        case .failure(is CancellationError): return
        case .failure(let error): throw ContractViolation("ended with \(error)")
        case .success: throw ContractViolation("the reading ended normally")
        }
    }

    private static func faultClauses(_ fixture: HealthDataSourceFixture) -> [ContractClause] {
        let whole = fixture.source(fixture.whole)
        return [
            ContractClause("Damage is reported, and the samples around it are delivered") {
                let undamaged = try await CollectedReading.collect(whole, fixture.selection)
                let reading = try await CollectedReading.collect(fixture.source(fixture.broken), fixture.selection)
                try ContractViolation.unless(reading.account.problemCount > 0, "no problem was reported")
                let missing = undamaged.samples.count - reading.samples.count
                try ContractViolation.unless(
                    missing <= reading.account.problemCount,
                    "\(missing) samples are missing, but \(reading.account.problemCount) problems are reported")
                try requirePart(reading, of: undamaged)
                try requireSum(reading)
            },
            ContractClause("A truncated end is reported, and no part of its sample is delivered") {
                let undamaged = try await CollectedReading.collect(whole, fixture.selection)
                let reading = try await CollectedReading.collect(fixture.source(fixture.truncated), fixture.selection)
                try ContractViolation.unless(!reading.account.isComplete, "the account reports a complete reading")
                try ContractViolation.unless(
                    reading.samples.count * 2 >= undamaged.samples.count, "samples before the end are missing")
                try requirePart(reading, of: undamaged)
                try requireSum(reading)
            },
            ContractClause("A file of another format throws badInput") {
                try await requireFailure(.badInput) {
                    _ = try await CollectedReading.collect(fixture.source(fixture.foreign), fixture.selection)
                }
            },
            ContractClause("A path at which nothing exists throws noInput") {
                try await requireFailure(.noInput) {
                    _ = try await CollectedReading.collect(fixture.source(fixture.missing), fixture.selection)
                }
                try await requireFailure(.noInput) { _ = try await fixture.source(fixture.missing).fingerprint() }
            },
        ]
    }

    private static func requireSame(_ reading: CollectedReading, _ other: CollectedReading) throws {
        try reading.requireSamples(other.counted)
        try ContractViolation.unlessEqual(reading.account, other.account, "account")
    }

    private static func requireSum(_ reading: CollectedReading) throws {
        let account = reading.account
        let sum = reading.samples.count + account.notSelected + account.rejected.values.reduce(0, +)
        try ContractViolation.unlessEqual(sum, account.recordsRead, "delivered + not selected + rejected")
    }

    private static func requirePart(_ part: CollectedReading, of whole: CollectedReading) throws {
        let all = whole.counted
        let unknown = part.counted.filter { (all[$0.key] ?? 0) < $0.value }
        try ContractViolation.unless(unknown.isEmpty, "\(unknown.count) samples are not in the undamaged file")
        try ContractViolation.unless(part.samples.count < whole.samples.count, "no sample is missing")
    }

    private static func requireFailure(_ code: SyncFailure.Code, _ body: () async throws -> Void) async throws {
        do {
            try await body()
        } catch let failure as SyncFailure {
            return try ContractViolation.unlessEqual(failure.code, code, "code of the failure")
        }
        throw ContractViolation("no error was thrown")
    }
}
