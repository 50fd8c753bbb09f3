import HealthSyncDomain
import HealthSyncMetrics
import HealthSyncPorts
import HealthSyncTestKit
import Testing

struct HandlerContractTests {
    @Test(arguments: BuiltInHandlers.all().map(\.metric))
    func everyBuiltInHandlerKeepsTheContract(metric: HealthMetric) async throws {
        let handler = try #require(BuiltInHandlers.all().first { $0.metric == metric })
        for seed in UInt64(1)...3 { try await check(HandlerContract.clauses(for: handler, seed: seed)) }
    }

    @Test(arguments: [SampleKind.cumulative, .discrete, .state])
    func anyQuantityKeepsTheContract(kind: SampleKind) async throws {
        let type = SampleTypeDefinition(
            SampleType(rawValue: "HKQuantityTypeIdentifierFlowOfTime"), kind, unit: "min")
        let handler = try #require(BuiltInHandlers.handler(ofFurther: type))
        #expect(handler.metric.rawValue == "flowOfTime")
        try await check(HandlerContract.clauses(for: handler))
    }

    @Test(arguments: FaultyHandler.Fault.allCases)
    func aFaultyHandlerIsFound(fault: FaultyHandler.Fault) async throws {
        var broken: [String] = []
        for clause in HandlerContract.clauses(for: FaultyHandler(fault: fault)) {
            do { try await clause.check() } catch is ContractViolation { broken.append(clause.name) }
        }
        #expect(broken.contains(fault.rawValue), "found \(broken)")
    }

    private func check(_ clauses: [ContractClause]) async throws {
        for clause in clauses {
            await #expect(throws: Never.self, "\(clause.name)") { try await clause.check() }
        }
    }
}
