import HealthSyncDomain

/// Maps each row of `origin` to the origin with the stable part of its device. Creates missing rows.
struct ConvertedOrigins {
    static let appleHealth = "appleHealth"

    /// The rows that are replaced by others.
    var former: [Int64] { targets.keys.sorted() }

    private var targets: [Int64: Int64] = [:]
    private var rows: [Int64: Row] = [:]

    private struct Row: Hashable {
        var provider: String
        var origin: SampleOrigin
    }

    init(over connection: SQLiteConnection) throws {
        let known = try connection.rows(
            "SELECT id, provider, source_name, device, is_user_entered, is_pre_aggregated FROM origin ORDER BY id"
        ) { row in
            (
                id: try row.integer(),
                row: Row(
                    provider: try row.text(),
                    origin: SampleOrigin(
                        sourceName: try row.text(), device: try row.text(), isUserEntered: try row.bool(),
                        isPreAggregated: try row.bool()))
            )
        }
        rows = Dictionary(known.map { ($0.id, $0.row) }, uniquingKeysWith: { first, _ in first })
        var ids = Dictionary(known.map { ($0.row, $0.id) }, uniquingKeysWith: { first, _ in first })
        for (id, row) in known {
            let stable = Row(
                provider: row.provider,
                origin: SampleOrigin(
                    sourceName: row.origin.sourceName, device: DeviceText.stablePart(of: row.origin.device),
                    isUserEntered: row.origin.isUserEntered, isPreAggregated: row.origin.isPreAggregated))
            guard stable != row else { continue }
            if ids[stable] == nil {
                try connection.execute(
                    """
                    INSERT INTO origin (provider, source_name, device, is_user_entered, is_pre_aggregated)
                    VALUES (?, ?, ?, ?, ?)
                    """, stable.provider, stable.origin.sourceName, stable.origin.device, stable.origin.isUserEntered,
                    stable.origin.isPreAggregated)
                ids[stable] = connection.lastInsertedRowID
                rows[connection.lastInsertedRowID] = stable
            }
            targets[id] = ids[stable]
        }
    }

    func target(of origin: Int64) -> Int64 { targets[origin] ?? origin }

    /// Returns whether samples of the origin may have an identity from `HKExternalUUID`.
    func mayHaveUUIDs(_ origin: Int64) -> Bool { rows[origin]?.provider == Self.appleHealth }

    func provider(of origin: Int64) -> String? { rows[origin]?.provider }

    func origin(_ id: Int64, path: String) throws -> SampleOrigin {
        guard let row = rows[id] else {
            throw SQLiteFailure.damaged(path, "the database contains a page without an origin")
        }
        return row.origin
    }
}
