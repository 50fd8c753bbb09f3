import HealthSyncDomain
import HealthSyncFileSources
import HealthSyncPorts
import HealthSyncSystem
import HealthSyncTestKit
import Testing

@Suite struct FeedContractTests {
    @Test(arguments: try jsonLinesClauses()) func jsonLines(_ clause: ContractClause) async throws {
        try await clause.check()
    }

    /// Files live as long as the process: the clauses of one fixture run at the same time.
    private static let folder = try? TemporaryFolder()

    private static func jsonLinesClauses() throws -> [ContractClause] {
        let folder = try #require(folder)
        let lines = (0..<6_000).map { index in
            let time = RFC3339.string(Instant(seconds: 1_700_000_000 + Int64(index) * 60))
            let fields = index % 3 == 0 ? #""type":"heartRate","value":61,"unit":"bpm""# : #""count":12"#
            return #"{"startDate":"\#(time)","endDate":"\#(time)","sourceBundleId":"phone",\#(fields)}"#
        }
        let whole = lines.joined(separator: "\n")
        var broken = lines
        broken[3_001] = #"{"startDate": oops"#
        let fixture = HealthDataSourceFixture(
            whole: try folder.write(whole, as: "whole.jsonl"), selection: SampleSelection(types: [.stepCount]),
            broken: try folder.write(broken.joined(separator: "\n"), as: "broken.jsonl"),
            truncated: try folder.write(String(whole.dropLast(whole.count / 4 + 7)), as: "truncated.jsonl"),
            foreign: try folder.write("<HealthData>\n</HealthData>\n", as: "foreign.jsonl"),
            missing: folder.path + "/missing.jsonl"
        ) { JSONLinesSource(path: $0, hasher: LibcryptoHasher()) }
        return HealthDataSourceContract.clauses(for: fixture)
    }
}
