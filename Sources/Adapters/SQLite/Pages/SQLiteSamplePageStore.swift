import HealthSyncDomain
import HealthSyncPorts

/// The samples of the local store, in the tables `sample_page` and `sample_tombstone`.
struct SQLiteSamplePageStore: SamplePageStore {
    let writer: SQLiteWriter
    let reader: SQLiteReader

    func changePages<Result: Sendable>(
        _ body: @escaping @Sendable (any SamplePageTransaction) throws -> Result
    ) async throws -> Result {
        try await writer.write {
            let transaction = try SQLitePageTransaction($0)
            let result = try body(transaction)
            try transaction.finish()
            return result
        }
    }

    func ingestedSource(path: String) async throws -> IngestedSource? {
        try await reader.read { connection in
            try connection.first(
                "SELECT \(Self.sourceColumns) FROM ingested_source WHERE path = ?", path, read: Self.source)
        }
    }

    func ingestedSources() async throws -> [IngestedSource] {
        try await reader.read { connection in
            try connection.rows(
                "SELECT \(Self.sourceColumns) FROM ingested_source ORDER BY ingested_at_ms DESC, path",
                read: Self.source)
        }
    }

    private static let sourceColumns = "path, content, provider, export_date_ms, selection, ingested_at_ms"

    private static func source(_ row: SQLiteStatement) throws -> IngestedSource {
        IngestedSource(
            fingerprint: SourceFingerprint(path: try row.text(), content: try row.text()), provider: try row.text(),
            exportDate: try row.optional { try $0.instant() }, selection: try row.digest(),
            ingestedAt: try row.instant())
    }
}
