import HealthSyncDomain

/// A page of samples that is read in place.
struct ReadPage {
    let ids: SplitIDs
    let view: ReceivedPageView

    /// Reads the columns `PageCommands.content`.
    init(_ row: inout PostgresRow) throws {
        _ = try row.integer()
        _ = try row.optional { try $0.bytes() }
        do {
            ids = try SplitIDs(heads: try row.bytes(), fingerprints: try row.bytes())
            view = try ReceivedPageView(try row.bytes(), count: ids.count)
        } catch is DamagedPage {
            throw PositionedPage.damaged
        }
    }
}
