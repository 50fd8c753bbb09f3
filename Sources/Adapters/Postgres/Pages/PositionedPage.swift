import HealthSyncDomain

/// A page of samples and their positions in the series.
struct PositionedPage {
    var firstPosition: Int64
    /// The distance of each sample's position from the first one, ascending; `nil` if the positions are consecutive, as
    /// in every page except those that were packed from rows.
    var offsets: [UInt32]?
    var columns: ReceivedColumns

    init(firstPosition: Int64, offsets: [UInt32]? = nil, columns: ReceivedColumns) {
        self.firstPosition = firstPosition
        self.offsets = offsets
        self.columns = columns
    }

    /// Reads the columns `PageCommands.content`.
    init(_ row: inout PostgresRow) throws {
        firstPosition = try row.integer()
        let encoded = try row.optional { try $0.bytes() }
        do {
            let ids = try SplitIDs(heads: try row.bytes(), fingerprints: try row.bytes())
            offsets = try encoded.map { try Self.offsets($0, count: ids.count) }
            columns = try ReceivedPageCodec.decode(try row.bytes(), ids: ids.ids)
        } catch is DamagedPage {
            throw Self.damaged
        }
    }

    static let damaged = PostgresError(
        kind: .rejected, sqlState: "XX001", message: "a page of samples cannot be read",
        advice: "restore the database from a backup")

    var span: PageSpan {
        let last = firstPosition + (offsets?.last.map { Int64($0) } ?? Int64(columns.count - 1))
        return PageSpan(first: firstPosition, last: last, count: columns.count)
    }

    /// Returns the position of the sample at `index`.
    func position(at index: Int) -> Int64 { firstPosition + (offsets.map { Int64($0[index]) } ?? Int64(index)) }

    /// Returns the index of the first sample at `position` or after it.
    func index(from position: Int64) -> Int {
        guard position > firstPosition else { return 0 }
        guard let offsets else { return min(columns.count, Int(position - firstPosition)) }
        return offsets.partitionPoint { firstPosition + Int64($0) < position }
    }

    var encodedOffsets: [UInt8]? {
        offsets.map { offsets in
            var bytes: [UInt8] = []
            for offset in offsets { bytes.append(bigEndian: offset) }
            return bytes
        }
    }

    static func offsets(_ bytes: [UInt8], count: Int) throws(DamagedPage) -> [UInt32] {
        guard bytes.count == 4 * count else { throw DamagedPage() }
        return (0..<count).map { bytes.bigEndianNumber(at: 4 * $0) }
    }
}

/// The positions of a page.
struct PageSpan: Hashable {
    var first: Int64
    var last: Int64
    var count: Int

    var isConsecutive: Bool { last - first + 1 == Int64(count) }
}

/// The ids of a page in two columns: `id_heads` contains the first 12 bytes of each id, and `fingerprints` 4 bytes from
/// which, together with the head, its last bytes follow. A server finds out which ids are new from the fingerprints
/// alone.
struct SplitIDs {
    private static let headSize = 12
    static let fingerprintSize = 4

    let heads: [UInt8]
    let fingerprints: [UInt8]

    init(_ ids: [SampleID]) {
        var heads: [UInt8] = []
        var fingerprints: [UInt8] = []
        heads.reserveCapacity(ids.count * Self.headSize)
        fingerprints.reserveCapacity(ids.count * Self.fingerprintSize)
        for id in ids {
            heads.append(bigEndian: id.high)
            heads.append(bigEndian: UInt32(truncatingIfNeeded: id.low >> 32))
            fingerprints.append(bigEndian: SampleFingerprint.of(id))
        }
        self.heads = heads
        self.fingerprints = fingerprints
    }

    /// - Throws: `DamagedPage` if the columns do not have the same number of ids.
    init(heads: [UInt8], fingerprints: [UInt8]) throws(DamagedPage) {
        guard heads.count % Self.headSize == 0, fingerprints.count % Self.fingerprintSize == 0,
            heads.count / Self.headSize == fingerprints.count / Self.fingerprintSize
        else { throw DamagedPage() }
        self.heads = heads
        self.fingerprints = fingerprints
    }

    var count: Int { fingerprints.count / Self.fingerprintSize }

    /// Returns the id at `index`.
    subscript(index: Int) -> SampleID {
        SampleFingerprint.id(
            high: heads.bigEndianNumber(at: index * Self.headSize),
            middle: heads.bigEndianNumber(at: index * Self.headSize + 8),
            fingerprint: fingerprints.bigEndianNumber(at: index * Self.fingerprintSize))
    }

    var ids: [SampleID] { (0..<count).map { self[$0] } }
}

extension [UInt8] {
    /// Returns the number whose first byte is at `offset`.
    func bigEndianNumber<Number: FixedWidthInteger & BitwiseCopyable>(at offset: Int) -> Number {
        unsafe withUnsafeBytes { unsafe Number(bigEndian: $0.loadUnaligned(fromByteOffset: offset, as: Number.self)) }
    }
}

/// Decides when small pages are merged. Eight pages of a size class become one page of the next, so that a sample is
/// written at most four times, and a series has few small pages.
enum PageMerging {
    private static let fanIn = 8

    /// Returns how many of the last pages of a series are merged with `count` new samples, which begin at `position`.
    static func merged(_ pages: [PageSpan], with count: Int, at position: Int64) -> Int {
        var merged = 0
        var size = count
        var next = position
        while true {
            let limit = Self.limit(of: size)
            var pending = 0
            var pendingSize = 0
            var first = next
            for span in pages.dropLast(merged).reversed() {
                guard span.count < limit, span.isConsecutive, span.last + 1 == first else { break }
                pending += 1
                pendingSize += span.count
                first = span.first
            }
            guard pending >= fanIn - 1 else { return merged }
            merged += pending
            size += pendingSize
            next = first
        }
    }

    /// Returns the size from which a page belongs to a higher class than a page with `count` samples; 0 if pages of its
    /// size are not merged.
    private static func limit(of count: Int) -> Int { [16, 128, 1_024].first { count < $0 } ?? 0 }
}
