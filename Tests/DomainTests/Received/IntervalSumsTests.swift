import HealthSyncTestKit
import HealthSyncTestTools
import Testing

@testable import HealthSyncDomain

@Suite("Digests of many intervals from pages")
struct IntervalSumsTests {
    /// Returns samples at random times, a tenth of them deleted; some values are fractions.
    private static func columns(_ count: Int, span: Int64, _ random: inout SeededRandom) -> ReceivedColumns {
        let isWhole = Bool.random(using: &random)
        var columns = ReceivedColumns()
        for _ in 0..<count {
            let start = Instant(milliseconds: Int64.random(in: -span...span, using: &random))
            var sample = ReceivedSample(
                id: SampleID(high: random.next(), low: random.next()), start: start,
                end: start.advanced(byMilliseconds: Int64.random(in: 0...70_000, using: &random)),
                value: isWhole
                    ? Double.random(in: -9...9, using: &random).rounded() : Double.random(in: -9...9, using: &random))
            sample.isDeleted = Int.random(in: 0..<10, using: &random) == 0
            columns.append(sample, origin: Int64.random(in: 0...300, using: &random))
        }
        return columns
    }

    private static func view(_ columns: ReceivedColumns) throws -> ReceivedPageView {
        try ReceivedPageView(ReceivedPageCodec.encode(columns), count: columns.count)
    }

    @Test("Intervals of any kind have the digests of their samples", arguments: Seeds.range(60))
    func digests(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let span = Int64(1) << Int64.random(in: 3...50, using: &random)
        var intervals = (0..<Int.random(in: 0...60, using: &random)).map { _ in
            let ends = [Int64.random(in: -span...span, using: &random), Int64.random(in: -span...span, using: &random)]
            return InstantRange(
                start: Instant(milliseconds: ends.min() ?? 0), end: Instant(milliseconds: ends.max() ?? 0))
        }
        // Neighbours, a repeated one, and the longest one.
        for interval in intervals.prefix(5) {
            intervals.append(InstantRange(start: interval.end, end: interval.end.advanced(byMilliseconds: 1)))
            intervals.append(interval)
        }
        if seed % 3 == 0 {
            intervals.append(
                InstantRange(start: Instant(milliseconds: .min), end: Instant(milliseconds: .max)))
        }
        var sums = IntervalSums(of: intervals)
        var all = ReceivedColumns()
        for _ in 0..<6 {
            let columns = Self.columns(Int.random(in: 0...300, using: &random), span: span, &random)
            let summary = ReceivedPageSummary(of: columns)
            let overlaps = intervals.contains { columns.setDigest(in: $0).count > 0 }
            let mayOverlap = sums.overlaps(summary.firstStart, summary.lastStart)
            #expect(mayOverlap || !overlaps)
            if !mayOverlap || !sums.add(columns.setDigest(in: nil), first: summary.firstStart, last: summary.lastStart)
            {
                try sums.add(Self.view(columns)) { columns.ids[$0] }
            }
            all.append(columns)
        }
        for interval in intervals { #expect(sums.digest(of: interval) == all.setDigest(in: interval)) }
    }

    @Test("Samples in memory have the digests of parts of their cells", arguments: Seeds.range(20))
    func cells(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let columns = Self.columns(900, span: 1 << Int64.random(in: 20...36, using: &random), &random)
        var counts: [Int64: Int] = [:]
        for index in 0..<columns.count where columns.isAlive(at: index, in: nil) {
            counts[SampleSumCell(containing: columns.starts[index]).number, default: 0] += 1
        }
        let sizes = counts.sorted { $0.key < $1.key }.map { (cell: $0.key, count: $0.value) }
        var cells = try #require(SampleCells(sizes))
        for page in 0..<3 {
            var part = ReceivedColumns()
            for index in 300 * page..<300 * (page + 1) {
                part.append(columns.sample(at: index, origin: 0), origin: columns.origins[index])
            }
            try cells.add(Self.view(part)) { part.ids[$0] }
        }
        for (cell, _) in sizes + [(-1 << 30, 0), (1 << 30, 0)] {
            let start = SampleSumCell(level: .fine, number: cell).start
            let ends = [
                Int64.random(in: 0...65_536_000, using: &random), Int64.random(in: 0...65_536_000, using: &random),
            ]
            let interval = InstantRange(
                start: Instant(milliseconds: start + (ends.min() ?? 0)),
                end: Instant(milliseconds: start + (ends.max() ?? 0)))
            #expect(cells.digest(in: interval, of: cell) == columns.setDigest(in: interval))
        }
        // Every sample was announced; another one is damage.
        #expect(throws: DamagedPage.self) { try cells.add(Self.view(columns)) { columns.ids[$0] } }
    }

    @Test("Cells that are too far apart are not kept")
    func span() {
        #expect(SampleCells([]) == nil)
        #expect(SampleCells([(0, 1), ((1 << 17) - 1, 1)]) != nil)
        #expect(SampleCells([(0, 1), (1 << 17, 1)]) == nil)
    }

    @Test("Bytes that no server wrote are rejected")
    func damage() throws {
        var random = SeededRandom(seed: 1)
        let columns = Self.columns(50, span: 1 << 30, &random)
        let bytes = ReceivedPageCodec.encode(columns)
        for count in 0..<bytes.count {
            #expect(throws: DamagedPage.self) { try ReceivedPageView(Array(bytes[..<count]), count: 50) }
        }
        #expect(throws: DamagedPage.self) { try ReceivedPageView(bytes + [0], count: 50) }
        #expect(throws: DamagedPage.self) { try ReceivedPageView(bytes, count: 49) }
        let empty = IntervalSums(
            of: [InstantRange(start: Instant(milliseconds: .min), end: Instant(milliseconds: .max))])
        for place in bytes.indices {
            var changed = bytes
            changed[place] ^= UInt8.random(in: 1...255, using: &random)
            // Any other content may result, but nothing traps.
            var sums = empty
            guard let view = try? ReceivedPageView(changed, count: 50) else { continue }
            _ = try? sums.add(view) { columns.ids[$0] }
        }
    }
}
