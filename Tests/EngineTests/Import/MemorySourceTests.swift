import HealthSyncDomain
import HealthSyncPorts
import HealthSyncTestKit
import Testing

@Suite struct MemorySourceTests {
    @Test(arguments: HealthDataSourceContract.clauses(for: fixture))
    func satisfiesTheContract(_ clause: ContractClause) async throws { try await clause.check() }

    private static let fixture = HealthDataSourceFixture(
        whole: "whole", selection: SampleSelection(types: [.stepCount]),
        expected: (0..<30).map { expected(Fact.steps(Double($0), day: 0, hour: $0)) }, broken: "broken",
        truncated: "truncated", foreign: "foreign", missing: "missing"
    ) { path in MemorySource(location: path, exportDay: 9, content: content(at: path)) }

    private static func expected(_ fact: Fact) -> SourceSample {
        let end = fact.start.advanced(bySeconds: Int64(fact.minutes) * 60)
        return SourceSample(
            type: fact.type.type, unit: fact.type.unit, origin: fact.origin,
            interval: InstantRange(start: fact.start, end: end), value: fact.value)
    }

    private static func content(at path: String) -> MemorySource.Content {
        var entries = (0..<30).flatMap { hour in
            [Fact.steps(Double(hour), day: 0, hour: hour), .heartRate(60, day: 0, hour: hour)]
        }.map(MemorySource.Entry.sample)
        switch path {
        case "whole": return .entries(entries)
        case "broken":
            entries[20] = .broken
            return .entries(entries)
        case "truncated": return .truncated(Array(entries.prefix(45)))
        case "foreign": return .foreign
        default: return .missing
        }
    }
}
