import HealthSyncDomain
import HealthSyncTestKit
import HealthSyncTestTools
import Testing

struct SamplePageCodecTests {
    private let day = CalendarDay(ordinal: 19_737)

    @Test(arguments: Seeds.range(500))
    func encodedPagesAreDecoded(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let columns = randomColumns(&random).normalized().columns
        #expect(try SamplePageCodec.decode(SamplePageCodec.encode(columns, day: day)) == columns)
    }

    @Test(arguments: Seeds.range(100))
    func invalidBytesAreRejectedWithoutTrapping(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var bytes = SamplePageCodec.encode(randomColumns(&random).normalized().columns, day: day)
        for _ in 0..<40 {
            bytes.damage(using: &random)
            // Decoding must return, whatever the result.
            let decoded = try? SamplePageCodec.decode(bytes)
            #expect(decoded.map { $0.count <= bytes.count } ?? true)
        }
    }

    @Test func wholeSecondsAndSmallCountsTakeFewBytes() {
        var columns = SampleColumns()
        for minute in 0..<600 {
            columns.append(
                start: day.utcStart.milliseconds + Int64(minute) * 60_000, duration: 60_000, value: Double(minute % 120)
            )
        }
        #expect(SamplePageCodec.encode(columns, day: day).count == 16 + 600 * 5 + 8)
    }

    private func randomColumns(_ random: inout SeededRandom) -> SampleColumns {
        var columns = SampleColumns()
        let unit: Int64 = Bool.random(using: &random) ? 1000 : 1
        for _ in 0..<Int.random(in: 1..<60, using: &random) {
            let start = day.utcStart.milliseconds + .random(in: 0..<(86_400_000 / unit), using: &random) * unit
            let hasDetail = Int.random(in: 0..<10, using: &random) == 0
            columns.append(
                start: start, duration: .random(in: 0..<5_000, using: &random) * unit,
                value: Bool.random(using: &random)
                    ? Double(Int.random(in: 0..<70_000, using: &random)) : .random(in: -10..<10, using: &random),
                zoneName: ["Europe/Paris", "Asia/Tokyo", nil].randomElement(using: &random) ?? nil,
                detail: hasDetail ? SampleDetail(externalID: "id-\(start)", syncVersion: 3, minimum: 1.5) : nil)
        }
        return columns
    }

    @Test func zonesBeyondTheLimitOfAPageAreDropped() throws {
        var columns = SampleColumns()
        columns.append(start: day.utcStart.milliseconds, duration: 0, value: 1, zoneName: "Z/0")
        columns.zoneNames = (0..<65_534).map { "Z/\($0)" }
        var other = SampleColumns()
        for (minute, name) in ["Z/new", "Z/one too many", "Z/1"].enumerated() {
            other.append(
                start: day.utcStart.milliseconds + Int64(minute + 1) * 60_000, duration: 0, value: 1, zoneName: name)
        }
        columns.append(other)
        columns.append(start: day.utcStart.milliseconds + 600_000, duration: 0, value: 1, zoneName: "Z/another")
        #expect((0..<5).map(columns.zoneName) == ["Z/0", "Z/new", nil, "Z/1", nil])
        #expect(try SamplePageCodec.decode(SamplePageCodec.encode(columns, day: day)) == columns)
    }
}
