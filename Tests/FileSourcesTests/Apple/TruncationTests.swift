import Foundation
import HealthSyncDomain
import HealthSyncTestKit
import HealthSyncTestTools
import Testing

/// An export truncated anywhere yields a prefix of its records, never part of one, and is reported as incomplete.
@Suite struct TruncationTests {
    private static let elements =
        Exports.record(value: "1")
        + Exports.record(
            "HKQuantityTypeIdentifierHeartRate", unit: "count/min", value: "61.5",
            children: "  <MetadataEntry key=\"HKTimeZone\" value=\"Europe/Paris\"/>")
        + " <!-- a > comment --> <![CDATA[<Record]]> <?x ?>\n"
        + Exports.record("HKCategoryTypeIdentifierSleepAnalysis", unit: nil, value: "3", extra: " device=\"é &amp; x\"")
        + " <Correlation type=\"c\">\n\(Exports.record(value: "9"))</Correlation>\n"
        + Exports.usualRecord() + Exports.usualRecord() + Exports.record(value: "1234")

    @Test func xmlCutAtEveryByte() async throws {
        let folder = try TemporaryFolder()
        let bytes = Array(Exports.document(Self.elements).utf8)
        let whole = try await Exports.read(folder.write(bytes, as: "whole.xml"))
        #expect(whole.samples.count == 6 && whole.account.isComplete)
        let rootEnd = bytes.count - 1
        for length in 0..<rootEnd {
            let path = try folder.write(bytes.prefix(length), as: "cut.xml")
            do {
                let cut = try await Exports.read(path)
                #expect(Array(whole.samples.prefix(cut.samples.count)) == cut.samples, "\(length)")
                let offset = try #require(cut.account.incompleteAtByte, "\(length)")
                #expect(offset <= Int64(length) && cut.account.rejected.isEmpty, "\(length)")
            } catch let failure as SyncFailure {
                #expect(failure.code == .badInput && length < 100, "\(length)")
            }
        }
    }

    private static func archive(in folder: TemporaryFolder) async throws -> String {
        let document = try folder.write(Exports.document(elements), as: "export.xml")
        let archive = folder.path + "/whole.zip"
        _ = try await Peer.evaluate(
            "import zipfile; zipfile.ZipFile(sys.argv[1], 'w', 8).write(sys.argv[2], 'a/export.xml')",
            [archive, document])
        return archive
    }

    @Test func zipCutAtEveryByte() async throws {
        let folder = try TemporaryFolder()
        let archive = try await Self.archive(in: folder)
        let whole = try await Exports.read(archive)
        #expect(whole.samples.count == 6 && whole.account.isComplete)
        let bytes = try Array(Data(contentsOf: URL(fileURLWithPath: archive)))
        for length in 0..<bytes.count {
            let path = try folder.write(bytes.prefix(length), as: "cut.zip")
            await #expect(throws: SyncFailure.self, "\(length)") { try await Exports.read(path) }
        }
    }

    /// A changed byte may change the result, but only as reported, and never causes a crash.
    @Test func zipWithEveryByteChanged() async throws {
        let folder = try TemporaryFolder()
        let archive = try await Self.archive(in: folder)
        let whole = try await Exports.read(archive)
        let bytes = try Array(Data(contentsOf: URL(fileURLWithPath: archive)))
        var complete = 0
        for index in bytes.indices {
            var changed = bytes
            changed[index] ^= 0xFF
            let path = try folder.write(changed, as: "changed.zip")
            guard let reading = try? await Exports.read(path), reading.account.isComplete else { continue }
            #expect(reading.samples == whole.samples, "\(index)")
            complete += 1
        }
        // Some bytes, such as times of members, do not matter; most do.
        #expect(complete > 0 && complete < bytes.count / 2, "\(complete) of \(bytes.count)")
    }

    /// Tags that span the chunks in which a file is read, including tags longer than a chunk.
    @Test(arguments: [0, 1, 300_000, 700_000, 3_000_000]) func tagsSpanPieces(padding: Int) async throws {
        let folder = try TemporaryFolder()
        let filler = String(repeating: "x", count: padding)
        var elements = ""
        for number in 0..<4000 {
            elements += Exports.record(value: String(number), extra: number == 2000 ? " note=\"\(filler)\"" : "")
        }
        for shift in 0..<7 {
            let path = try folder.write(
                Exports.document(String(repeating: " ", count: shift * 37) + elements), as: "long.xml")
            let reading = try await Exports.read(path)
            #expect(reading.samples.map(\.value) == (0..<4000).map(Double.init))
            #expect(reading.account.isComplete && reading.account.problemCount == 0)
        }
    }
}
