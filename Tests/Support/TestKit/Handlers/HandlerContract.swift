import HealthSyncDomain
public import HealthSyncPorts

/// What every `HealthMetricSyncHandler` promises, checked on random samples of the types it reads, over a change of the
/// clocks.
public enum HandlerContract {
    /// The promises of `handler`; each is independent of the others.
    public static func clauses(for handler: any HealthMetricSyncHandler, seed: UInt64 = 1) -> [ContractClause] {
        let bench = HandlerBench(handler: handler, seed: seed)
        return naming(handler) + repeating(bench) + failing(bench) + figures(bench)
    }

    private static func naming(_ handler: any HealthMetricSyncHandler) -> [ContractClause] {
        [
            ContractClause("names a metric in lower camel case and the types it reads") {
                let name = handler.metric.rawValue
                let isPlain = name.utf8.allSatisfy {
                    (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0)
                }
                try ContractViolation.unless(
                    isPlain && name.first?.isLowercase == true, "\"\(name)\" is not a name in lower camel case")
                try ContractViolation.unless(!handler.reads.isEmpty, "reads no type")
            }
        ]
    }

    private static func repeating(_ bench: HandlerBench) -> [ContractClause] {
        [
            ContractClause("gives the same result again") {
                let first = try await bench.result()
                try ContractViolation.unless(first != DerivedDays(), "derives nothing from twelve days of samples")
                try bench.requireSame(try await bench.result(), first, "the second time")
            },
            ContractClause("gives the same result daily and historically") {
                try bench.requireSame(
                    try await bench.result(scope: .daily), try await bench.result(scope: .historical), "daily")
            },
            ContractClause("gives the same result however days are grouped") {
                let whole = try await bench.result(stretchLength: 100)
                for length in [1, 2, 5] {
                    try bench.requireSame(
                        try await bench.result(stretchLength: length), whole, "in stretches of \(length) days")
                }
            },
            ContractClause("derives unchanged days once") {
                let context = bench.context()
                _ = try await bench.handler.syncHistorical(in: context)
                let stretches = context.derivedStretches
                let outcome = try await bench.handler.syncHistorical(in: context)
                try ContractViolation.unlessEqual(outcome, .nothingNew, "the second run")
                try ContractViolation.unlessEqual(context.derivedStretches, stretches, "stretches derived")
            },
        ]
    }

    private static func failing(_ bench: HandlerBench) -> [ContractClause] {
        [
            ContractClause("gives nothing for nothing") {
                try bench.requireSame(try await bench.result(samples: [:]), DerivedDays(), "without samples")
            },
            ContractClause("does not throw for samples that make no sense") {
                let derived: DerivedDays
                do {
                    derived = try await bench.result(samples: bench.senselessSamples)
                } catch {
                    throw ContractViolation("threw \(error)")
                }
                try bench.requireSound(derived)
            },
            ContractClause("passes cancellation on") {
                for scope in [SyncRequest.Scope.daily, .historical] {
                    try await bench.requireThrown(CancellationError(), scope) { $0 is CancellationError }
                }
            },
            ContractClause("passes failures of the store on") {
                let failure = SyncFailure(.storage, subject: "store", reason: "it is full", advice: "make room")
                for scope in [SyncRequest.Scope.daily, .historical] {
                    try await bench.requireThrown(failure, scope) { $0 as? SyncFailure == failure }
                }
            },
        ]
    }

    private static func figures(_ bench: HandlerBench) -> [ContractClause] {
        [
            ContractClause("gives figures that are sound") { try bench.requireSound(try await bench.result()) },
            ContractClause("derives only the metrics that it declares, in their units") {
                try bench.requireDeclared(try await bench.result())
            },
        ]
    }
}
