import Foundation
import HealthSyncDomain
import HealthSyncTestKit
import Testing

/// On every well-formed file the scanner's records are expat's.
@Suite struct ExpatDifferentialTests {
    private struct Judged: Decodable {
        let file: String
        let records: [ExpatRecord]
        let refused: [String: Int]
    }

    /// HEALTHSYNC_THOROUGH=1 asks for ten times as many files.
    private static let scale = ProcessInfo.processInfo.environment["HEALTHSYNC_THOROUGH"] == "1" ? 10 : 1

    @Test(arguments: [
        ["--seed", "7", "--count", "\(600 * scale)"],
        ["--seed", "8", "--count", "\(200 * scale)", "--plain-values"],
        ["--seed", "9", "--count", "\(100 * scale)", "--prolog-traps"],
    ])
    func recordsAreThoseOfExpat(arguments: [String]) async throws {
        let folder = try TemporaryFolder()
        _ = try await PythonPeer.run("random_exports.py", arguments + ["--out", folder.path])
        let judged = try await Self.judge(folder)
        #expect(judged.count >= 100)
        for file in judged {
            let reading = try await Exports.read(folder.path + "/" + file.file)
            compare(reading, with: file)
        }
    }

    /// All files of a folder in one call; a line a file.
    private static func judge(_ folder: TemporaryFolder) async throws -> [Judged] {
        let program = """
            import json, os, expat_reader
            for name in sorted(os.listdir(sys.argv[1])):
                reader = expat_reader.Reader()
                records = list(reader.read(os.path.join(sys.argv[1], name)))
                print(json.dumps({"file": name, "records": records, "refused": reader.refused}))
            """
        let output = try await PythonPeer.evaluate(program, [folder.path])
        let decoder = JSONDecoder()
        return try output.split(separator: 0x0A).map { try decoder.decode(Judged.self, from: $0) }
    }

    private func compare(_ reading: CollectedReading, with judged: Judged) {
        let account = reading.account
        #expect(account.isComplete && account.problemCount == 0, "\(judged.file): \(account)")
        #expect(account.recordsRead == judged.records.count + judged.refused.values.reduce(0, +), "\(judged.file)")
        let used = judged.records.compactMap { record in Expectation(record) }
        #expect(reading.samples.count == used.count, "\(judged.file): \(account)")
        for (sample, expected) in zip(reading.samples, used) where !expected.allows(sample) {
            Issue.record("\(judged.file): \(sample) is not \(expected)")
            return
        }
    }

    /// What a record that expat prints must become.
    private struct Expectation {
        let record: ExpatRecord
        let value: Double

        /// `nil` for a record whose value or unit cannot be used.
        init?(_ record: ExpatRecord) {
            guard record.end >= record.start else { return nil }
            self.record = record
            let definition = SampleTypeTable.builtIn()[SampleType(rawValue: record.type)]
            if record.type.hasPrefix("HKCategory") {
                let states = definition?.categoryValues ?? [:]
                guard let text = record.value else {
                    guard states.isEmpty else { return nil }
                    value = 0
                    return
                }
                guard let state = states[text] ?? Int(text) else { return nil }
                value = Double(state)
            } else {
                let isNumber = record.value?.wholeMatch(of: /[0-9]+(\.[0-9]+)?/) != nil
                guard isNumber, let text = record.value, let number = Double(text), let unit = record.unit else {
                    return nil
                }
                value = definition?.conversion(from: unit)?(number) ?? number
            }
        }

        func allows(_ sample: DeliveredSample) -> Bool {
            ExpatRecord.Place(sample) == record.place && sample.value == value
                && sample.zoneName == record.metadata["HKTimeZone"].flatMap { $0.isEmpty ? nil : $0 }
                && sample.origin.isUserEntered == (record.metadata["HKWasUserEntered"] == "1")
        }
    }
}
