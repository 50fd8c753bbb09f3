import HealthSyncDomain
import HealthSyncTestKit
import HealthSyncTestTools
import Testing

struct SampleNormalizationTests {
    @Test(arguments: Seeds.range(300))
    func theOrderOfReadingDoesNotMatter(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var columns = SampleColumns()
        for _ in 0..<Int.random(in: 0..<40, using: &random) {
            columns.append(
                start: .random(in: 0..<10, using: &random) * 1000, duration: .random(in: 0..<3, using: &random) * 1000,
                value: Double(Int.random(in: 0..<3, using: &random)),
                zoneName: ["Asia/Tokyo", "Europe/Paris", nil].randomElement(using: &random) ?? nil)
        }
        var shuffled = SampleColumns()
        for index in (0..<columns.count).shuffled(using: &random) {
            shuffled.append(
                start: columns.starts[index], duration: columns.durations[index], value: columns.values[index],
                zoneName: columns.zoneName(index))
        }
        let (first, repeated) = columns.normalized()
        #expect(first == shuffled.normalized().columns)
        #expect(first.count + repeated == columns.count)
        #expect(first.normalized().repeated == 0)
        let identities = (0..<columns.count).map {
            "\(columns.starts[$0]) \(columns.durations[$0]) \(columns.values[$0])"
        }
        #expect(first.count == Set(identities).count)
    }

    @Test func theHighestVersionOfAnIdentifierIsKept() {
        var columns = SampleColumns()
        columns.append(start: 2000, duration: 0, value: 7, detail: SampleDetail(externalID: "a", syncVersion: 2))
        columns.append(start: 1000, duration: 0, value: 5, detail: SampleDetail(externalID: "a", syncVersion: 1))
        #expect(columns.normalized().columns.values == [7])
    }

    @Test func theLastValueOfABucketIsKept() {
        var columns = SampleColumns()
        columns.append(start: 0, duration: 3_600_000, value: 900)
        columns.append(start: 0, duration: 3_600_000, value: 850)
        #expect(columns.normalized(.byBucket).columns.values == [850])
        #expect(columns.normalized(.byContent).columns.values == [850, 900])
    }

    @Test("A longer bucket replaces one sent before it ended, in any order")
    func unfinishedBuckets() {
        let hour: Int64 = 3_600_000
        let early = UnfinishedBucket.duration(start: 0, duration: hour, statedAt: 20 * 60_000)
        #expect(early == 20 * 60_000 - 1000)
        #expect(UnfinishedBucket.duration(start: 0, duration: hour, statedAt: 2 * hour) == hour)
        #expect(UnfinishedBucket.duration(start: hour, duration: hour, statedAt: hour) == hour)
        let stated: [(Int64, Double)] = [(early, 50.0), (30 * 60_000 + 7000, 80.0), (60_000, 4.0), (hour, 100.0)]
        for order in [stated, Array(stated.reversed())] {
            var columns = SampleColumns()
            for (length, value) in order { columns.append(start: 0, duration: length, value: value) }
            columns.append(start: hour, duration: early, value: 9)
            let kept = columns.normalized(.byBucket).columns
            #expect(kept.durations == [60_000, hour, early])
            #expect(kept.values == [4, 100, 9])
        }
    }

    @Test func aSampleWithAZoneReplacesAnEqualOneWithout() {
        var columns = SampleColumns()
        columns.append(start: 0, duration: 1, value: 1)
        columns.append(start: 0, duration: 1, value: 1, zoneName: "Asia/Tokyo")
        #expect(columns.normalized().columns.zoneName(0) == "Asia/Tokyo")
    }
}
