import HealthSyncDomain
import HealthSyncPorts
import HealthSyncTestKit
import HealthSyncTestTools
import Testing

@testable import HealthSyncEngine

/// Versions of samples, compared with a reference that is independent of pages: a list of everything read, in order.
@Suite struct SampleVersionTests {
    private struct Written: Hashable {
        var fact: Fact
        var identifier: String
        var version: Int64
    }

    @Test(
        "The highest version of a source and identifier is stored, for any files in any order",
        arguments: Seeds.range(UInt64(40)))
    func theHighestVersionIsStored(_ seed: UInt64) async throws {
        var random = SeededRandom(seed: seed)
        let bench = EngineBench()
        var newest: [String: Written] = [:]
        let origins = [
            SampleOrigin(sourceName: "Fit"), SampleOrigin(sourceName: "Fit", device: "name:Band"),
            SampleOrigin(sourceName: "Run"),
        ]
        for file in 0..<Int.random(in: 1...5, using: &random) {
            var lines: [Written] = []
            for _ in 0..<Int.random(in: 1...12, using: &random) {
                let fact = Fact(
                    origin: origins.randomElement(using: &random) ?? origins[0],
                    minute: Int.random(in: 0..<4, using: &random) * 700,
                    value: Double.random(in: 1...9, using: &random).rounded())
                lines.append(
                    Written(
                        fact: fact, identifier: ["a", "b", "c"].randomElement(using: &random) ?? "a",
                        version: Int64.random(in: 1...4, using: &random)))
            }
            for line in lines {
                let key = "\(line.fact.origin.sourceName) \(line.identifier)"
                if let known = newest[key], known.version > line.version { continue }
                newest[key] = line
            }
            var source = MemorySource.feed(lines.map(\.fact), at: "\(file)")
            source.details = lines.map { SampleDetail(externalID: $0.identifier, syncVersion: $0.version) }
            let report = try #require(try await bench.importSources(source).first)
            #expect(report.addsUp)
        }
        let expected = newest.values.map(\.fact).sorted()
        #expect(try await bench.kept() == expected)
    }
}
