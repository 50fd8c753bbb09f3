import Foundation
import HealthSyncDomain
import HealthSyncTestKit
import HealthSyncTestTools
import Testing

/// Records in the Health app's form are read by fast paths. With any byte changed the result must still agree with
/// expat or, if expat rejects the file, with the same file with an additional space, which disables the fast paths.
@Suite struct ChangedByteTests {
    private static let before = Exports.usualRecord() + Exports.usualRecord(value: "62")
    private static let changed = Exports.usualRecord(value: "63.5")
    private static let after = Exports.usualRecord(value: "64")
    private static let replacements = Array("\"<>& -1x".utf8) + [0x01, 0xC3]

    @Test func changedBytesAreReadLikeTheReference() async throws {
        let folder = try TemporaryFolder()
        let twins = try TemporaryFolder()
        for variant in Self.variants() {
            _ = try folder.write(Self.document(variant.bytes), as: variant.name)
            _ = try twins.write(Self.document(variant.spaced), as: variant.name)
        }
        let expected = try await ExpatReference.read(folder.path)
        var wellFormed = 0
        for reference in expected {
            let reading = try await Exports.read(folder.path + "/" + reference.file)
            if reference.records != nil {
                wellFormed += 1
                reference.check(reading)
            } else {
                let twin = try await Exports.read(twins.path + "/" + reference.file)
                #expect(reading.samples == twin.samples, "\(reference.file)")
                #expect(Self.outline(reading) == Self.outline(twin), "\(reference.file)")
            }
        }
        #expect(wellFormed > 500 / Self.step && expected.count - wellFormed > 500 / Self.step)
    }

    private struct Variant {
        let name: String
        let bytes: [UInt8]
        let spaced: [UInt8]
    }

    /// With few seeds, each fifth byte is changed.
    private static let step = Seeds.count(few: 5, some: 1, many: 1)

    /// Returns the record with each byte after its unit replaced by each replacement; its twin has an additional space
    /// where that has no effect: next to a space other than the changed byte.
    private static func variants() -> [Variant] {
        let record = Array(changed.utf8)
        let spaces = [" creationDate", " startDate", " endDate"].compactMap { name in
            changed.range(of: name).map { changed.utf8.distance(from: changed.startIndex, to: $0.lowerBound) }
        }
        guard let first = spaces.first else { return [] }
        return stride(from: first, to: record.count, by: step).flatMap { index in
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

    /// The account without offsets, which differ by the space.
    private static func outline(_ reading: CollectedReading) -> SourceReading {
        var account = reading.account
        account.incompleteAtByte = account.incompleteAtByte.map { _ in 0 }
        account.problems = account.problems.map { SourceProblem(byteOffset: nil, what: $0.what) }
        return account
    }
}
