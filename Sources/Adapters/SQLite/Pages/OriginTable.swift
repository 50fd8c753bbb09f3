import HealthSyncDomain

/// The origins of a database by row id. There are a few hundred at most, so they are read at once.
struct OriginTable {
    /// The origins by row id.
    let origins: [Int64: SampleOrigin]
    /// The provider of each origin, by row id.
    let providers: [Int64: String]
    /// The rank of each row id in an order that depends only on origin and provider, not on insertion.
    let ranks: [Int64: Int]

    /// Reads the origins of `provider`, or all origins for `nil`.
    init(provider: String? = nil, over connection: SQLiteConnection) throws {
        let rows = try connection.rows(
            """
            SELECT id, source_name, device, is_user_entered, is_pre_aggregated, provider FROM origin
            WHERE ?1 IS NULL OR provider = ?1
            ORDER BY source_name, device, is_user_entered, is_pre_aggregated, provider
            """, provider
        ) { row in
            (
                id: try row.integer(),
                origin: SampleOrigin(
                    sourceName: try row.text(), device: try row.text(), isUserEntered: try row.bool(),
                    isPreAggregated: try row.bool()),
                provider: try row.text()
            )
        }
        origins = Dictionary(rows.map { ($0.id, $0.origin) }, uniquingKeysWith: { first, _ in first })
        providers = Dictionary(rows.map { ($0.id, $0.provider) }, uniquingKeysWith: { first, _ in first })
        ranks = Dictionary(
            rows.enumerated().map { ($0.element.id, $0.offset) }, uniquingKeysWith: { first, _ in first })
    }

    /// Returns the origin of a row.
    /// - Throws: A damage failure if the row does not exist.
    func origin(_ id: Int64, path: String) throws -> SampleOrigin {
        guard let origin = origins[id] else {
            throw SQLiteFailure.damaged(path, "the database contains a page without an origin")
        }
        return origin
    }
}
