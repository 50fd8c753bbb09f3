import Foundation
import HealthSyncDomain
import HealthSyncPorts
import HealthSyncTestKit
import HealthSyncTestTools
import Testing

@Suite struct AppleContractTests {
    @Test(arguments: try clauses()) func xml(_ clause: ContractClause) async throws {
        try await clause.check()
    }

    /// Files live as long as the process: the clauses of one fixture run at the same time.
    private static let folder = try? TemporaryFolder()

    private static func clauses() throws -> [ContractClause] {
        let folder = try #require(folder)
        let records = (0..<20_000).map { index in
            index % 3 == 0
                ? Exports.record("HKQuantityTypeIdentifierHeartRate", unit: "count/min", value: "\(60 + index % 40)")
                : Exports.record(value: "\(index)")
        }
        let whole = Exports.document(records.joined())
        var broken = records
        broken[3_001] = " <Record type=\"HKQuantityTypeIdentifierStepCount\" \u{0} oops\n"
        let fixture = HealthDataSourceFixture(
            whole: try folder.write(whole, as: "whole.xml"), selection: SampleSelection(types: [.stepCount]),
            expected: (0..<20_000).filter { $0 % 3 > 0 }.map { index in
                let start = Instant(seconds: 1_705_298_400)
                return SourceSample(
                    type: SampleTypeDefinition.stepCount.type, unit: "count",
                    origin: SampleOrigin(sourceName: "iPhone"),
                    interval: InstantRange(start: start, end: start.advanced(bySeconds: 600)), value: Double(index))
            },
            broken: try folder.write(Exports.document(broken.joined()), as: "broken.xml"),
            truncated: try folder.write(whole.utf8.dropLast(whole.utf8.count / 4 + 7), as: "truncated.xml"),
            foreign: try folder.write("<html><body>Record</body></html>\n", as: "foreign.xml"),
            missing: folder.path + "/missing.xml"
        ) { Exports.source($0) }
        return HealthDataSourceContract.clauses(for: fixture)
    }
}
