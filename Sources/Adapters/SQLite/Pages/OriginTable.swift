import HealthSyncDomain

/// The origins of a database by row id: a few hundred at most, so they are read at once.
struct OriginTable {
    /// Origins by row id.
    let origins: [Int64: SampleOrigin]
    /// The input of each origin, by row id.
    let providers: [Int64: String]
    /// The place of each row id in an order that depends on origin and provider alone, and not on when they were met.
    let ranks: [Int64: Int]

    /// The origins of `provider`, or of all for `nil`.
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

    /// The origin of a row; a row without one is damage.
    func origin(_ id: Int64, path: String) throws -> SampleOrigin {
        guard let origin = origins[id] else {
            throw SQLiteFailure.damaged(path, "the database holds a page without an origin")
        }
        return origin
    }
}
