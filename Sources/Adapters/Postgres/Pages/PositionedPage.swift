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
