import Foundation
import HealthSyncDomain
import HealthSyncTestKit
import HealthSyncTestTools
import Testing

/// Records as the Health app writes them are read by short ways. With any byte of one changed they are still expat's
/// records, and where expat refuses the file, those of the same file with one more space, which no short way takes.
@Suite struct ChangedByteTests {
    private static let before = Exports.usualRecord() + Exports.usualRecord(value: "62")
    private static let changed = Exports.usualRecord(value: "63.5")
    private static let after = Exports.usualRecord(value: "64")
    private static let replacements = Array("\"<>& -1x".utf8) + [0x01, 0xC3]

    @Test func whateverChangesIsReadAsByOthers() async throws {
        let folder = try TemporaryFolder()
        let twins = try TemporaryFolder()
        for variant in Self.variants() {
            _ = try folder.write(Self.document(variant.bytes), as: variant.name)
            _ = try twins.write(Self.document(variant.spaced), as: variant.name)
        }
        let judged = try await ExpatJudgement.judge(folder.path)
        var wellFormed = 0
        for judgement in judged {
            let reading = try await Exports.read(folder.path + "/" + judgement.file)
            if judgement.records != nil {
                wellFormed += 1
                judgement.check(reading)
            } else {
                let twin = try await Exports.read(twins.path + "/" + judgement.file)
                #expect(reading.samples == twin.samples, "\(judgement.file)")
                #expect(Self.outline(reading) == Self.outline(twin), "\(judgement.file)")
            }
        }
        #expect(wellFormed > 500 && judged.count - wellFormed > 500)
    }

    private struct Variant {
        let name: String
        let bytes: [UInt8]
        let spaced: [UInt8]
    }

    /// The record with each byte behind its unit replaced by each replacement; its twin has one more space where that
    /// changes nothing: next to another space than the changed one.
    private static func variants() -> [Variant] {
        let record = Array(changed.utf8)
        let spaces = [" creationDate", " startDate", " endDate"].compactMap { name in
            changed.range(of: name).map { changed.utf8.distance(from: changed.startIndex, to: $0.lowerBound) }
        }
        guard let first = spaces.first else { return [] }
        return (first..<record.count).flatMap { index in
            replacements.filter { $0 != record[index] }.map { replacement in
                var bytes = record
                bytes[index] = replacement
                var spaced = bytes
                spaced.insert(0x20, at: spaces.first { abs($0 - index) > 16 } ?? first)
                return Variant(name: "\(1000 + index)-\(replacement).xml", bytes: bytes, spaced: spaced)
            }
        }
    }

    private static func document(_ record: [UInt8]) -> [UInt8] {
        let parts = Exports.document("*").split(separator: "*").map { Array($0.utf8) }
        return parts[0] + Array(before.utf8) + record + Array(after.utf8) + parts[1]
    }

    /// The account without its places, which differ by the space.
    private static func outline(_ reading: CollectedReading) -> SourceReading {
        var account = reading.account
        account.incompleteAtByte = account.incompleteAtByte.map { _ in 0 }
        account.problems = account.problems.map { SourceProblem(byteOffset: nil, what: $0.what) }
        return account
    }
}
