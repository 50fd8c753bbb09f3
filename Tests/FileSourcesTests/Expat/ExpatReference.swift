import Foundation
import HealthSyncDomain
import HealthSyncTestKit
import HealthSyncTestTools
import Testing

/// The records that expat finds in a file.
struct ExpatReference: Decodable {
    let file: String
    /// `nil` if the file is not well-formed.
    let records: [ExpatRecord]?
    let refused: [String: Int]

    /// Reads all files of the folder at `path`, by name, in one call.
    static func read(_ path: String) async throws -> [ExpatReference] {
        let program = """
            import json, os, expat_reader
            for name in sorted(os.listdir(sys.argv[1])):
                reader = expat_reader.Reader()
                try:
                    records = list(reader.read(os.path.join(sys.argv[1], name)))
                except expat_reader.expat.ExpatError:
                    records = None
                print(json.dumps({"file": name, "records": records, "refused": reader.refused}))
            """
        let output = try await Peer.evaluate(program, [path])
        let decoder = JSONDecoder()
        return try output.split(separator: 0x0A).map { try decoder.decode(ExpatReference.self, from: $0) }
    }

    /// Records an issue if `reading` of the file, which must be well-formed, differs.
    func check(_ reading: CollectedReading) {
        let account = reading.account
        guard let records else {
            Issue.record("\(file) is not well-formed")
            return
        }
        let used = records.compactMap { record in ExpatExpectation(record) }
        let problems = used.contains { $0.record.hasUnreadableMetadata } ? 1 : 0
        // Unknown values are reported, the first of each.
        let unknown = account.problems.count { problem in
            ["is not a value of", "unknown value of", "are not read"].contains { problem.what.contains($0) }
        }
        #expect(account.isComplete && account.problemCount == problems + unknown, "\(file): \(account)")
        #expect(account.recordsRead == records.count + refused.values.reduce(0, +), "\(file)")
        #expect(reading.samples.count == used.count, "\(file): \(account)")
        for (sample, expected) in zip(reading.samples, used) where !expected.allows(sample) {
            Issue.record("\(file): \(sample) is not \(expected)")
            return
        }
    }
}
