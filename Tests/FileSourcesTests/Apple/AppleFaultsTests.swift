import Foundation
import HealthSyncDomain
import HealthSyncTestKit
import HealthSyncTestTools
import Testing

/// Faulty and unusual exports; the expected report of each is in a manifest from an independent author.
@Suite struct AppleFaultsTests {
    private struct Manifest: Decodable { let cases: [FaultCase] }

    @Test func everyFaultIsReportedAsInTheManifest() async throws {
        let folder = try TemporaryFolder()
        _ = try await Peer.output(of: "exports/apple_faults.py", ["--out", folder.path])
        let data = try Data(contentsOf: URL(fileURLWithPath: folder.path + "/manifest.json"))
        let manifest = try JSONDecoder().decode(Manifest.self, from: data)
        try #require(manifest.cases.count > 60)
        for fault in manifest.cases { await check(fault, in: folder) }
    }

    private func check(_ fault: FaultCase, in folder: TemporaryFolder) async {
        do {
            let reading = try await Exports.read(folder.path + "/" + fault.file)
            #expect(fault.error == nil || !fault.certain, "\(fault.file) was read")
            checkSamples(reading, fault)
            if fault.certain { checkAccount(reading, fault) }
        } catch let failure as SyncFailure {
            #expect(fault.error != nil || !fault.certain, "\(fault.file): \(failure)")
            #expect(failure.code == .badInput && !failure.advice.isEmpty, "\(fault.file)")
        } catch {
            Issue.record("\(fault.file): \(error)")
        }
    }

    /// The invariants of certain and uncertain cases: no invented values, and consistent counts.
    private func checkSamples(_ reading: CollectedReading, _ fault: FaultCase) {
        let account = reading.account
        let sum = reading.samples.count + account.notSelected + account.rejected.values.reduce(0, +)
        #expect(account.recordsRead == sum, "\(fault.file)")
        #expect(reading.samples.count >= fault.usedAtLeast, "\(fault.file): \(account)")
        var expected = fault.records.map(signature)
        for sample in reading.samples {
            let index = expected.firstIndex(of: signature(sample, loose: fault.loose, of: fault))
            if fault.certain {
                #expect(index != nil, "\(fault.file): \(sample)")
            } else if index == nil {
                // An uncertain record may have an unusual source, but never a value that is not in the file.
                #expect(
                    expected.contains { $0.start == sample.interval.start.milliseconds }, "\(fault.file): \(sample)")
            }
            if let index { expected.remove(at: index) }
        }
    }

    private func checkAccount(_ reading: CollectedReading, _ fault: FaultCase) {
        let account = reading.account
        #expect(reading.samples.count == fault.used, "\(fault.file): \(account)")
        #expect(account.recordsRead == fault.read, "\(fault.file): \(account)")
        #expect(account.rejected.values.reduce(0, +) == fault.refused.values.reduce(0, +), "\(fault.file): \(account)")
        #expect(!account.isComplete == fault.incomplete, "\(fault.file): \(account)")
        let tolerated = fault.tolerated.values.reduce(0, +)
        #expect(account.problemCount >= tolerated + (fault.skipped.isEmpty ? 0 : 1), "\(fault.file): \(account)")
        if tolerated == 0, fault.skipped.isEmpty, account.isComplete {
            #expect(account.problemCount == 0, "\(fault.file): \(account)")
        }
        for stretch in fault.skipped {
            let range = stretch.offset - 1...stretch.offset + stretch.length
            let reported = account.problems.compactMap(\.byteOffset) + [account.incompleteAtByte].compactMap { $0 }
            #expect(reported.contains { range.contains($0) }, "\(fault.file): \(account)")
        }
    }

    private struct Signature: Equatable {
        var type: String
        var sourceName: String
        var device: String
        var start: Int64
        var end: Int64
        var value: Double
    }

    private func signature(_ record: FaultCase.Record) -> Signature {
        let states = SampleTypeDefinition.sleepAnalysis.categoryValues
        let text = record.value ?? record.aggregate?.average ?? "0"
        let factor = record.unit == "count/s" ? 60.0 : 1
        let value = states[text].map(Double.init) ?? Double(text).map { $0 * factor } ?? .nan
        return Signature(
            type: record.type, sourceName: record.sourceName, device: record.device, start: record.start,
            end: record.end, value: value)
    }

    private func signature(_ sample: SourceSample, loose: [String], of fault: FaultCase) -> Signature {
        var source = sample.origin.sourceName
        if loose.contains("sourceName") {
            let same = fault.records.first { $0.start == sample.interval.start.milliseconds }
            source = same?.sourceName ?? source
        }
        return Signature(
            type: sample.type.rawValue, sourceName: source, device: sample.origin.device,
            start: sample.interval.start.milliseconds, end: sample.interval.end.milliseconds, value: sample.value)
    }
}
