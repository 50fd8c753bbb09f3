/// How a store uses its database.
package struct PostgresStoreOptions: Sendable {
    /// The maximum number of connections for requests, at least 2; half of them write.
    package var connections = 8
    /// Whether rows of an earlier version are packed into pages in the background.
    package var packsInBackground = true
    /// The number of rows that are packed in one transaction.
    package var rowsAtOnce = RowPacking.largestBatch

    package init() {}
}
