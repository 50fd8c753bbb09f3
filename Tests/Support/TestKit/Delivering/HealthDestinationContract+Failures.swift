import HealthSyncDomain
import HealthSyncPorts

extension HealthDestinationContract {
    /// Returns the clauses about destinations that are unavailable or reject a record.
    static func failing(_ make: @escaping Make) -> [ContractClause] {
        [
            ContractClause("reports nothing as delivered or rejected while the destination is unavailable") {
                let fixture = try await make()
                defer { withExtendedLifetime(fixture) {} }
                let destination = try await fixture.open()
                let capabilities = try await DestinationBench(destination).capabilities()
                let batches =
                    DestinationSamples.batches(for: destination, capabilities)
                    + DestinationSamples.deletions(for: destination, capabilities)
                try await fixture.setAvailable(false)
                for batch in batches {
                    let verdict = await destination.sender.send(batch, capabilities: capabilities)
                    try ContractViolation.unless(
                        verdict.keepsEverything,
                        "a batch of \(batch.kind.rawValue) (\(batch.operation)) has the verdict \(verdict)")
                }
                try await fixture.setAvailable(true)
                let reopened = try await fixture.open()
                for batch in batches {
                    try requireDelivered(await reopened.sender.send(batch, capabilities: capabilities), batch)
                }
            },
            ContractClause("stores each record under its ids and deletes it by one of them, if it stores by id") {
                let fixture = try await make()
                defer { withExtendedLifetime(fixture) {} }
                guard let storedIDs = fixture.storedIDs else { return }
                let destination = try await fixture.open()
                let capabilities = try await DestinationBench(destination).capabilities()
                let batches = DestinationSamples.batches(for: destination, capabilities)
                for batch in batches {
                    try requireDelivered(await destination.sender.send(batch, capabilities: capabilities), batch)
                }
                let all = Set(batches.flatMap(\.recordIDs).joined())
                try ContractViolation.unlessEqual(try await storedIDs(), all, "the ids stored")
                let deletions = DestinationSamples.deletions(for: destination, capabilities)
                for batch in deletions {
                    try requireDelivered(await destination.sender.send(batch, capabilities: capabilities), batch)
                }
                let deleted = Set(deletions.flatMap(\.recordIDs).joined())
                try ContractViolation.unlessEqual(
                    try await storedIDs(), all.subtracting(deleted), "the ids stored after deletions")
            },
            ContractClause("ignores a record that is older than its deletion, if it stores by id") {
                let fixture = try await make()
                defer { withExtendedLifetime(fixture) {} }
                guard let storedIDs = fixture.storedIDs else { return }
                let destination = try await fixture.open()
                let capabilities = try await DestinationBench(destination).capabilities()
                let batches = DestinationSamples.batches(for: destination, capabilities, ofAtMost: 1)
                let deletions = DestinationSamples.deletions(for: destination, capabilities)
                // A retry may arrive after what was sent later.
                for batch in deletions + batches {
                    try requireDelivered(await destination.sender.send(batch, capabilities: capabilities), batch)
                }
                let deleted = Set(deletions.flatMap(\.recordIDs).joined())
                try ContractViolation.unlessEqual(
                    try await storedIDs().intersection(deleted), [], "the ids that are stored although deleted later")
            },
            ContractClause("rejects the record that the destination rejects, if it can, and no other") {
                let fixture = try await make()
                defer { withExtendedLifetime(fixture) {} }
                guard let reject = fixture.reject else { return }
                let destination = try await fixture.open()
                let capabilities = try await DestinationBench(destination).capabilities()
                let batches = DestinationSamples.batches(for: destination, capabilities)
                guard let batch = batches.first(where: { $0.recordIDs.count > 2 }) else { return }
                try await reject(batch.recordIDs[1][0])
                switch await destination.sender.send(batch, capabilities: capabilities) {
                case .bisect: return
                case .items(let verdicts, _):
                    let isRejected = verdicts.map { verdict in
                        if case .rejected = verdict { true } else { false }
                    }
                    try ContractViolation.unlessEqual(
                        isRejected, batch.recordIDs.indices.map { $0 == 1 }, "which records were rejected")
                case let verdict: throw ContractViolation("the verdict is \(verdict)")
                }
            },
        ]
    }
}

extension BatchVerdict {
    /// Whether every item of the batch is sent again.
    fileprivate var keepsEverything: Bool {
        switch self {
        case .items(let verdicts, _): verdicts.allSatisfy { $0 == .retry }
        case .retryBatch, .failed, .inProgress, .unknown, .pause: true
        case .bisect, .tooLarge, .disable: false
        }
    }
}
