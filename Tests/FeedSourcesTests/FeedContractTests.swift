import Foundation
import HealthSyncDomain
import HealthSyncFileSources
import HealthSyncPorts
import HealthSyncSystem
import HealthSyncTestKit
import HealthSyncTestTools
import Testing

@Suite struct FeedContractTests {
    @Test(arguments: try jsonLinesClauses()) func jsonLines(_ clause: ContractClause) async throws {
        try await clause.check()
    }

    @Test(arguments: try healthAutoExportClauses(folder: false)) func healthAutoExportFile(
        _ clause: ContractClause
    ) async throws { try await clause.check() }

    @Test(arguments: try healthAutoExportClauses(folder: true)) func healthAutoExportFolder(
        _ clause: ContractClause
    ) async throws { try await clause.check() }

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
            expected: (0..<6_000).filter { $0 % 3 > 0 }.map { index in
                steps(12, of: SampleOrigin(sourceName: "phone"), at: 1_700_000_000 + Int64(index) * 60, seconds: 0)
            },
            broken: try folder.write(broken.joined(separator: "\n"), as: "broken.jsonl"),
            truncated: try folder.write(String(whole.dropLast(whole.count / 4 + 7)), as: "truncated.jsonl"),
            foreign: try folder.write("<HealthData>\n</HealthData>\n", as: "foreign.jsonl"),
            missing: folder.path + "/missing.jsonl"
        ) { JSONLinesSource(path: $0, hasher: LibcryptoHasher()) }
        return HealthDataSourceContract.clauses(for: fixture)
    }

    private static func healthAutoExportClauses(folder isFolder: Bool) throws -> [ContractClause] {
        let root = try #require(folder).path + (isFolder ? "/folders" : "/files")
        func write(_ text: String, _ name: String) throws -> String {
            let place = isFolder ? "\(root)/\(name)" : root
            try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
            let file = "\(place)/HealthAutoExport-2024-01-\(isFolder ? "15" : name).json"
            try Data(text.utf8).write(to: URL(fileURLWithPath: file))
            return isFolder ? place : file
        }
        func metric(_ name: String, _ unit: String, spoiling spoilt: Int? = nil) -> String {
            let entries = (0..<1_440).map { minute in
                let time = "2024-01-15 \(minute / 600)\(minute / 60 % 10):\(minute % 60 / 10)\(minute % 10):00 +0100"
                return #"{"date":"\#(minute == spoilt ? "at noon" : time)","qty":\#(minute % 7 + 60)}"#
            }
            return #"{"name":"\#(name)","units":"\#(unit)","data":[\#(entries.joined(separator: ","))]}"#
        }
        let heart = metric("heart_rate", "bpm")
        let whole = #"{"data":{"metrics":[\#(heart),\#(metric("step_count", "count"))]}}"#
        let broken = #"{"data":{"metrics":[\#(heart),\#(metric("step_count", "count", spoiling: 700))]}}"#
        let fixture = HealthDataSourceFixture(
            whole: try write(whole, "whole"), selection: SampleSelection(types: [.stepCount]),
            expected: (0..<1_440).map { minute in
                let origin = SampleOrigin(sourceName: "Health Auto Export", isPreAggregated: true)
                return steps(
                    Double(minute % 7 + 60), of: origin, at: 1_705_273_200 + Int64(minute) * 60, seconds: 60,
                    zoneName: "+01:00")
            },
            broken: try write(broken, "broken"),
            truncated: try write(String(whole.dropLast(whole.count / 5 + 9)), "cut"),
            foreign: try write("<HealthData>\n</HealthData>\n", "foreign"), missing: root + "/missing"
        ) { HealthAutoExportSource(path: $0, hasher: LibcryptoHasher()) }
        return HealthDataSourceContract.clauses(for: fixture)
    }

    private static func steps(
        _ count: Double, of origin: SampleOrigin, at start: Int64, seconds: Int64, zoneName: String? = nil
    ) -> SourceSample {
        let start = Instant(seconds: start)
        return SourceSample(
            type: SampleTypeDefinition.stepCount.type, unit: "count", origin: origin,
            interval: InstantRange(start: start, end: start.advanced(bySeconds: seconds)), value: count,
            zoneName: zoneName)
    }
}
