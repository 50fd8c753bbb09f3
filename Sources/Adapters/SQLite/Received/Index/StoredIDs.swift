import HealthSyncDomain

/// The ids of a stored page and the revisions of its samples.
struct StoredIDs {
    let firstPosition: Int64
    let ids: [SampleID]
    /// `nil` if no sample is deleted or has a revision other than 0.
    private let revised: ReceivedColumns?

    /// Creates the ids of samples without revisions.
    init(firstPosition: Int64, columns: ReceivedColumns) {
        self.firstPosition = firstPosition
        ids = columns.ids
        revised = columns
    }

    /// Reads the columns `first_position`, `ids` and `columns`, which is NULL if no sample of the page is revised.
    init(_ row: SQLiteStatement, of connection: SQLiteConnection) throws {
        firstPosition = try row.integer()
        let ids = try ReceivedSamplePages.ids(try row.blob(), of: connection)
        self.ids = ids
        revised = try row.optional { try $0.blob() }
            .map { try ReceivedSamplePages.columns($0, ids: ids, of: connection) }
    }

    /// Returns the revision of the sample at `index`.
    func revision(at index: Int) -> RecentIDs.Revision {
        guard let revised else { return .init(number: 0, isDeleted: false) }
        return .init(number: revised.revisions[index], isDeleted: revised.marks[index].contains(.deleted))
    }

    func contains(_ position: Int64) -> Bool {
        position >= firstPosition && position < firstPosition + Int64(ids.count)
    }
}
