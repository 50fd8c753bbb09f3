import HealthSyncDomain
import HealthSyncTestKit
import HealthSyncTestTools
import Testing

struct ReceivedPageCodecTests {
    @Test(arguments: Seeds.range(300))
    func encodedPagesAreDecoded(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let columns = randomColumns(&random)
        let ids = try ReceivedPageCodec.ids(ReceivedPageCodec.encode(ids: columns.ids))
        #expect(try ReceivedPageCodec.decode(ReceivedPageCodec.encode(columns), ids: ids) == columns)
    }

    @Test(arguments: Seeds.range(100))
    func invalidBytesAreRejectedWithoutTrapping(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let columns = randomColumns(&random)
        var bytes = ReceivedPageCodec.encode(columns)
        for _ in 0..<40 {
            bytes.damage(using: &random)
            // Decoding must return, whatever the result.
            let decoded = try? ReceivedPageCodec.decode(bytes, ids: columns.ids)
            if let decoded { #expect(ReceivedPageSummary(of: decoded).digest.count <= columns.count) }
        }
    }

    @Test func stepsByMinuteTakeFewBytes() {
        var columns = ReceivedColumns()
        for sample in ReceivingSamples.steps(1_000) { columns.append(sample, origin: 7) }
        // Starts take 4 bytes and counts 1; all other columns are constant.
        #expect(ReceivedPageCodec.encode(columns).count == 5 + 6 * 9 + 1_000 * 5)
    }

    @Test(arguments: [0, 1, 4_096, 4_097, 9_000])
    func pagesAreJoined(count: Int) {
        var columns = ReceivedColumns()
        for sample in ReceivingSamples.steps(count) { columns.append(sample, origin: 1) }
        let pages = columns.pages()
        #expect(pages.flatMap(\.ids) == columns.ids)
        #expect(pages.flatMap(\.values) == columns.values)
        #expect(pages.allSatisfy { (1...ReceivedColumns.largestPage).contains($0.count) })
        let sum = pages.map { ReceivedPageSummary(of: $0).digest }.reduce(IntervalDigest()) { $0 + $1 }
        #expect(sum == columns.digest(in: nil))
    }

    private func randomColumns(_ random: inout SeededRandom) -> ReceivedColumns {
        var columns = ReceivedColumns()
        let isPlain = Bool.random(using: &random)
        for _ in 0..<Int.random(in: 0..<60, using: &random) {
            let id = SampleID(
                high: .random(in: 0...UInt64.max, using: &random), low: .random(in: 0...9, using: &random))
            let start = Instant(milliseconds: .random(in: -2_208_988_800_000...7_258_118_400_000, using: &random))
            let values = isPlain ? [0, 1, 300, 70_000] : [-0.0, 0.1, 1e300, -5]
            columns.append(
                ReceivedSample(
                    id: id, start: start,
                    end: start.advanced(byMilliseconds: isPlain ? 60_000 : .random(in: 0...1 << 40, using: &random)),
                    value: values.randomElement(using: &random) ?? 0,
                    revision: isPlain ? 0 : .random(in: 0...Int64.max, using: &random),
                    isDeleted: !isPlain && Bool.random(using: &random), isUppercase: Bool.random(using: &random)),
                origin: isPlain ? 3 : .random(in: 0...1 << 33, using: &random))
        }
        return columns
    }
}
