import HealthSyncDomain
public import HealthSyncPorts

/// The contract of `HealthMetricSyncHandler`, checked on random samples of the types, and random results of the metrics, that a
/// handler reads, over twelve days with a change of clocks.
///
/// ```swift
/// @Test(arguments: HandlerContract.clauses(for: MindfulMinutesHandler()))
/// func keepsTheContract(_ clause: ContractClause) async throws { try await clause.check() }
/// ```
public enum HandlerContract {
    /// Returns the clauses of the contract for `handler`. They are independent of each other; `check()` throws a
    /// `ContractViolation`. The same seed gives the same samples.
    public static func clauses(for handler: any HealthMetricSyncHandler, seed: UInt64 = 1) -> [ContractClause] {
        let bench = HandlerBench(handler: handler, seed: seed)
        return (naming(handler) + repeating(bench) + failing(bench) + figures(bench)).limited
    }

    private static func naming(_ handler: any HealthMetricSyncHandler) -> [ContractClause] {
        [
            ContractClause("has a metric name in lower camel case and reads a type or another metric") {
                let name = handler.metric.rawValue
                let isPlain = name.utf8.allSatisfy {
                    (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0)
                }
                try ContractViolation.unless(
                    isPlain && name.first?.isLowercase == true, "\"\(name)\" is not in lower camel case")
                try ContractViolation.unless(
                    !handler.reads.isEmpty || !handler.inputs.isEmpty, "reads neither a type nor a metric")
                try ContractViolation.unless(!handler.inputs.contains(handler.metric), "reads its own results")
            },
            ContractClause("declares settings with names of their own, whose defaults they allow") {
                let names = handler.settings.map(\.name)
                try ContractViolation.unless(Set(names).count == names.count, "two settings have one name: \(names)")
                for setting in handler.settings {
                    try ContractViolation.unless(
                        setting.name.first?.isLowercase == true
                            && setting.name.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) },
                        "\"\(setting.name)\" is not in lower camel case")
                    try ContractViolation.unless(
                        setting.allows(setting.standard), "the default of \(setting.name) is not one of its values")
                    try ContractViolation.unless(!setting.summary.isEmpty, "\(setting.name) has no summary")
                }
            },
        ]
    }

    private static func repeating(_ bench: HandlerBench) -> [ContractClause] {
        [
            ContractClause("derives the same result twice") {
                let first = try await bench.result()
                try ContractViolation.unless(
                    first != DerivedDays(), "derives nothing from twelve days of \(bench.given)")
                try bench.requireSame(try await bench.result(), first, "in the second run")
            },
            ContractClause("derives the same result daily and historically") {
                try bench.requireSame(
                    try await bench.result(scope: .daily), try await bench.result(scope: .historical), "daily")
            },
            ContractClause("derives the same result for any grouping of days") {
                let whole = try await bench.result(maximumDays: 100)
                for length in [1, 2, 5] {
                    try bench.requireSame(
                        try await bench.result(maximumDays: length), whole, "derived \(length) days at a time")
                }
            },
            ContractClause("derives unchanged days only once") {
                let context = bench.context()
                _ = try await bench.handler.syncHistorical(in: context)
                let derivations = context.derivedRanges
                let outcome = try await bench.handler.syncHistorical(in: context)
                try ContractViolation.unlessEqual(outcome, .nothingNew, "the second run")
                try ContractViolation.unlessEqual(context.derivedRanges, derivations, "derivations")
            },
        ]
    }

    private static func failing(_ bench: HandlerBench) -> [ContractClause] {
        [
            ContractClause("derives nothing without samples") {
                try bench.requireSame(
                    try await bench.result(samples: [:], inputs: DerivedDays()), DerivedDays(), "without samples")
            },
            ContractClause("does not throw for implausible samples") {
                let derived: DerivedDays
                do {
                    derived = try await bench.result(samples: bench.implausibleSamples)
                } catch {
                    throw ContractViolation("threw \(error)")
                }
                try bench.requireConsistent(derived)
            },
            ContractClause("rethrows cancellation") {
                for scope in [SyncRequest.Scope.daily, .historical] {
                    try await bench.requireThrown(CancellationError(), scope) { $0 is CancellationError }
                }
            },
            ContractClause("rethrows errors of the store") {
                let failure = SyncFailure(.storage, subject: "store", reason: "the disk is full", advice: "free space")
                for scope in [SyncRequest.Scope.daily, .historical] {
                    try await bench.requireThrown(failure, scope) { $0 as? SyncFailure == failure }
                }
            },
        ]
    }

    private static func figures(_ bench: HandlerBench) -> [ContractClause] {
        [
            ContractClause("derives consistent figures") { try bench.requireConsistent(try await bench.result()) },
            ContractClause("rounds figures with asFigure") { try bench.requireRounded(try await bench.result()) },
            ContractClause("derives only the metrics that it declares, in their units") {
                try bench.requireDeclared(try await bench.result())
            },
        ]
    }
}
