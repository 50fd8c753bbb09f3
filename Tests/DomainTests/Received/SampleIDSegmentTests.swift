import HealthSyncTestKit
import Testing

@testable import HealthSyncDomain

@Suite("Segments of the index of received ids")
struct SampleIDSegmentTests {
    private static func values(_ count: Int, seed: UInt64) -> [SampleIDHash.Value] {
        var random = SeededRandom(seed: seed)
        let start = Instant(milliseconds: 0)
        return SampleIDHash(key: seed).values(
            of: (0..<count).map { _ in
                ReceivedSample(
                    id: SampleID(high: random.next(), low: random.next()), start: start, end: start, value: 0)
            })
    }

    @Test("A filter contains every inserted id and few others", arguments: [1, 31, 32, 33, 1_000, 100_000])
    func filter(count: Int) throws {
        let inserted = Self.values(count, seed: 1)
        var filter = SampleIDFilter(expecting: count)
        filter.insert(inserted.map { SampleIDLayout.Entry(prefix: $0.prefix, position: 0) })
        let stored = try SampleIDFilter(filter.bytes)
        #expect(stored == filter)
        #expect(Self.matches(of: inserted, in: stored) == Array(inserted.indices))
        let others = Self.matches(of: Self.values(20_000, seed: 2), in: stored).count
        #expect(others < 100, "\(others) of 20,000 ids are contained by mistake")
    }

    private static func matches(of ids: [SampleIDHash.Value], in filter: SampleIDFilter) -> [Int] {
        var found: [Int] = []
        filter.forEachMatch(in: ids) { found.append($0) }
        return found
    }

    @Test("A damaged filter is rejected", arguments: [0, 8, 63, 65])
    func damagedFilter(length: Int) {
        #expect(throws: DamagedPage.self) { try SampleIDFilter([UInt8](repeating: 0, count: length)) }
    }

    @Test(
        "Entries are decoded as they were encoded",
        arguments: [(1, 0), (1_024, 1), (1_025, 3), (5_000, 1), (70_000, 7), (2_000, 100_000), (3, 130_000_000)])
    func layout(count: Int, gap: Int) throws {
        let first: Int64 = 1 << 50
        let entries = Self.values(count, seed: 3).enumerated().map { index, value in
            SampleIDLayout.Entry(prefix: value.prefix, position: first + Int64(index * gap))
        }
        let written = SampleIDLayout(count: count, positions: first...first + Int64((count - 1) * gap))
        let layout = try SampleIDLayout(
            chunkBits: written.chunkBits, offsetBits: written.offsetBits, firstPosition: first)
        #expect(layout == written)
        var decoded: Set<SampleIDLayout.Entry> = []
        for chunk in 0..<layout.chunkCount {
            let part = entries.filter { layout.chunk(of: $0.prefix) == chunk }
            let bytes = layout.encode(part[...])
            #expect(bytes.count == part.count * layout.entryBytes)
            try layout.forEach(in: bytes, chunk: chunk) { decoded.insert($0) }
        }
        #expect(decoded == Set(entries))
        #expect(layout.entryBytes <= 8)
    }

    @Test("Consecutive positions take 6 bytes per id at every size", arguments: [4_096, 16_384, 1 << 20, 5 << 20])
    func size(count: Int) {
        let layout = SampleIDLayout(count: count, positions: 1...Int64(count))
        #expect(layout.entryBytes == 6)
        #expect((512...1_024).contains(count / layout.chunkCount))
    }

    @Test("Two positions of a segment may be so far apart that an entry has 8 bytes")
    func largestSpan() throws {
        let layout = SampleIDLayout(count: 2, positions: 0...SampleIDLayout.largestSpan - 1)
        #expect(layout.entryBytes == 8)
        #expect(
            try SampleIDLayout(chunkBits: layout.chunkBits, offsetBits: layout.offsetBits, firstPosition: 0) == layout)
        #expect(throws: DamagedPage.self) {
            try SampleIDLayout(chunkBits: 0, offsetBits: layout.offsetBits + 1, firstPosition: 0)
        }
    }
}
