import HealthSyncDomain
import HealthSyncPorts
import HealthSyncTestKit
import Testing

@Suite struct MemorySourceTests {
    @Test(arguments: HealthDataSourceContract.clauses(for: fixture))
    func satisfiesTheContract(_ clause: ContractClause) async throws { try await clause.check() }

    private static let fixture = HealthDataSourceFixture(
        whole: "whole", selection: SampleSelection(types: [.stepCount]), broken: "broken", truncated: "truncated",
        foreign: "foreign", missing: "missing"
    ) { path in MemorySource(location: path, exportDay: 9, content: content(at: path)) }

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
