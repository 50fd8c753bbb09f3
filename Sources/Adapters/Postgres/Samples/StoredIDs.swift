import HealthSyncDomain

/// The ids of a stored page, and the revisions of its samples if any differs from 0.
struct StoredIDs {
    let firstPosition: Int64
    private let offsets: [UInt32]?
    private let ids: SplitIDs
    /// `nil` if no sample is deleted or has a revision other than 0.
    private let columns: ReceivedColumns?

    /// Reads a row of `PageCommands.ids`.
    init(_ row: inout PostgresRow) throws {
        firstPosition = try row.integer()
        let encoded = try row.optional { try $0.bytes() }
        do {
            let ids = try SplitIDs(heads: try row.bytes(), fingerprints: try row.bytes())
            self.ids = ids
            offsets = try encoded.map { try PositionedPage.offsets($0, count: ids.count) }
            columns = try row.optional { try $0.bytes() }.map { try ReceivedPageCodec.decode($0, ids: ids.ids) }
        } catch is DamagedPage {
            throw PositionedPage.damaged
        }
    }

    /// Returns the index of the sample at `position` if its id is `id`.
    func index(of id: SampleID, at position: Int64) -> Int? {
        var index = Int(position - firstPosition)
        if let offsets {
            index = offsets.partitionPoint { firstPosition + Int64($0) < position }
            guard index < offsets.count, firstPosition + Int64(offsets[index]) == position else { return nil }
        }
        return index < ids.count && ids[index] == id ? index : nil
    }

    /// Returns the revision of the sample at `index`, and whether it is deleted.
    func state(at index: Int) -> (revision: Int64, isDeleted: Bool) {
        columns.map { ($0.revisions[index], $0.marks[index].contains(.deleted)) } ?? (0, false)
    }
}
