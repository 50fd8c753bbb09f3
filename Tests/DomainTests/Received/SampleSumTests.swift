import HealthSyncTestKit
import HealthSyncTestTools
import Testing

@testable import HealthSyncDomain

@Suite("Sums of received samples")
struct SampleSumTests {
    private static let hour: Int64 = 3_600_000

    /// Returns samples at random times of about ten years around 2001, a tenth of them deleted.
    private static func columns(_ count: Int, seed: UInt64) -> ReceivedColumns {
        var random = SeededRandom(seed: seed)
        var columns = ReceivedColumns()
        for _ in 0..<count {
            let start = Instant(
                milliseconds: SampleSumCell.origin + Int64.random(in: -40_000...40_000, using: &random) * hour)
            var sample = ReceivedSample(
                id: SampleID(high: random.next(), low: random.next()), start: start, end: start, value: 1.5)
            sample.isDeleted = Int.random(in: 0..<10, using: &random) == 0
            columns.append(sample, origin: 1)
        }
        return columns
    }

    @Test("Cells and edges of any interval sum to its digest", arguments: Seeds.range(40))
    func parts(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let columns = Self.columns(500, seed: seed)
        var changes = SampleSumChanges()
        changes.add(columns)
        let sums = Dictionary(uniqueKeysWithValues: changes.changes().map { ($0.cell, $0.change) })
        for _ in 0..<50 {
            let exponent = Int64.random(in: 0...19, using: &random)
            let start = Int64.random(in: -50_000...50_000, using: &random) * Self.hour + SampleSumCell.origin
            let aligned = GridInterval(
                containing: Instant(milliseconds: start), exponent: Int.random(in: 9...30, using: &random))
            let free = InstantRange(
                start: Instant(milliseconds: start),
                end: Instant(milliseconds: start + (1 << exponent) * Self.hour / 4))
            for interval in [aligned.range, free] {
                var digest = SampleSetDigest()
                let parts = SampleSumParts(of: interval)
                for (level, numbers) in parts.cells {
                    for (cell, sum) in sums where cell.level == level && numbers.contains(cell.number) { digest += sum }
                }
                for edge in parts.edges {
                    let found = columns.setDigest(in: edge.interval)
                    #expect(found == .zero || sums[SampleSumCell(level: .fine, number: edge.cell)] != nil)
                    digest += found
                }
                #expect(digest == columns.setDigest(in: interval))
                #expect(parts.edges.count <= 2 && parts.cells.count <= 3)
            }
        }
    }

    @Test("Nodes of the grid of at least 18 hours have no edges", arguments: 16...30)
    func aligned(exponent: Int) {
        let node = GridInterval(containing: Instant(milliseconds: 1_700_000_000_000), exponent: exponent)
        #expect(SampleSumParts(of: node.range).edges.isEmpty)
    }

    @Test("The longest interval is divided without overflow")
    func unbounded() {
        let always = InstantRange(start: Instant(milliseconds: .min), end: Instant(milliseconds: .max))
        let parts = SampleSumParts(of: always)
        #expect(parts.cells.contains { $0.level == .coarse && $0.numbers.contains(0) })
        #expect(parts.edges.allSatisfy { $0.interval.start < $0.interval.end })
        let empty = InstantRange(start: Instant(milliseconds: 5), end: Instant(milliseconds: 5))
        #expect(SampleSumParts(of: empty).cells.isEmpty && SampleSumParts(of: empty).edges.isEmpty)
    }

    @Test("Removing every sample leaves no sum", arguments: 0..<5)
    func removal(seed: UInt64) {
        let columns = Self.columns(300, seed: seed)
        var changes = SampleSumChanges()
        changes.add(columns)
        for index in 0..<columns.count { changes.remove(columns, at: index) }
        #expect(changes.changes().isEmpty)
    }
}
