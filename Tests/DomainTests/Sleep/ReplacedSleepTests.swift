import HealthSyncTestKit
import Testing

@testable import HealthSyncDomain

/// A later statement of an app replaces what it said of the same sleep before.
struct ReplacedSleepTests {
    private static let inBed = 0.0
    private static let asleep = 1.0
    private static let core = 3.0

    private struct Row {
        var start: Int64
        var end: Int64
        var value = core
        var version: Int64?
        var id: String?
    }

    /// Returns the rows that count; times are minutes.
    private func kept(_ rows: [Row]) -> [Int] {
        var columns = SampleColumns()
        for row in rows {
            let detail =
                row.version == nil && row.id == nil
                ? nil : SampleDetail(externalID: row.id, syncVersion: row.version)
            columns.append(
                start: row.start * 60_000, duration: (row.end - row.start) * 60_000, value: row.value, detail: detail)
        }
        let replaced = ReplacedSleep.rows(of: columns)
        return rows.indices.filter { !replaced.contains($0) }
    }

    /// A sample is replaced if more than half of its time is stated again.
    @Test(arguments: [(50, [0, 1]), (49, [1])] as [(Int64, [Int])]) func moreThanHalfMustBeStatedAgain(
        start: Int64, expected: [Int]
    ) {
        #expect(kept([Row(start: 0, end: 100, version: 1), Row(start: start, end: 200, version: 2)]) == expected)
    }

    @Test func theOrderOfTheVersionsDecides() {
        #expect(kept([Row(start: 0, end: 100, version: 2), Row(start: 10, end: 100, version: 1)]) == [0])
        // What is stored without a version is older than what has one.
        #expect(kept([Row(start: 0, end: 100), Row(start: 10, end: 100, version: 1)]) == [1])
        #expect(kept([Row(start: 0, end: 100, version: 1), Row(start: 10, end: 100, version: 1)]) == [0, 1])
    }

    @Test func severalStretchesTogetherReplaceOne() {
        let rows = [
            Row(start: 0, end: 100, version: 1), Row(start: 0, end: 30, version: 2),
            Row(start: 60, end: 90, version: 3),
        ]
        #expect(kept(rows) == [1, 2])
    }

    @Test func timeInBedAndSleepAreTwoKinds() {
        let rows = [Row(start: 0, end: 100, value: Self.inBed, version: 1), Row(start: 0, end: 100, version: 2)]
        #expect(kept(rows) == [0, 1])
    }

    @Test func ofOverlappingRecordsTheLastOneCountsAsAWhole() {
        func record(_ id: String, _ range: Range<Int64>, version: Int64) -> [Row] {
            let middle = (range.lowerBound + range.upperBound) / 2
            return [
                Row(start: range.lowerBound, end: middle, version: version, id: "\(id)#1"),
                Row(start: middle, end: range.upperBound, version: version, id: "\(id)#2"),
            ]
        }
        #expect(kept(record("a", 0..<100, version: 1) + record("b", 90..<200, version: 2)) == [2, 3])
        #expect(kept(record("a", 0..<100, version: 2) + record("b", 90..<200, version: 1)) == [0, 1])
        #expect(kept(record("a", 0..<100, version: 1) + record("b", 100..<200, version: 2)) == [0, 1, 2, 3])
        // The last one ended the second, which therefore does not end the first.
        let chain = record("a", 0..<100, version: 1) + record("b", 90..<200, version: 2)
        #expect(kept(chain + record("c", 190..<300, version: 3)) == [0, 1, 4, 5])
    }

    @Test func samplesWithIdentifiersOfTheirOwnAreNoRecords() {
        let uuids = ["5d1f0a52-79c5-4f4a-8d0e-2f7f3ad0b001", "5d1f0a52-79c5-4f4a-8d0e-2f7f3ad0b002"]
        // Sessions without stages, of HealthKit's UUIDs, of identifiers of another form, and stages.
        let cases: [(value: Double, versions: [Int64?], ids: [String], expected: [Int])] = [
            (Self.asleep, [1, 2], uuids, [1]), (Self.asleep, [nil, nil], uuids, [0, 1]),
            (Self.asleep, [1, 2], ["a", "b"], [0, 1]), (Self.core, [1, 2], uuids, [0, 1]),
        ]
        for (value, versions, ids, expected) in cases {
            let rows = [
                Row(start: 0, end: 100, value: value, version: versions[0], id: ids[0]),
                Row(start: 50, end: 100, value: value, version: versions[1], id: ids[1]),
            ]
            #expect(kept(rows) == expected)
        }
    }
}
