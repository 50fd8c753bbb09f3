import HealthSyncDomain

/// Rows of `former_delivery`: the servers that are not offered everything of the days before an upgrade.
enum FormerDeliveryRows {
    static func read(of destination: String, over connection: SQLiteConnection) throws -> FormerDelivery? {
        let lastDay = try connection.first(
            "SELECT last_day FROM former_delivery WHERE destination = ?", destination
        ) { try $0.day() }
        guard let lastDay else { return nil }
        let metrics = try connection.rows(
            "SELECT value FROM former_delivery, json_each(metrics) WHERE destination = ?", destination
        ) { HealthMetric(rawValue: try $0.text()) }
        return FormerDelivery(lastDay: lastDay, metrics: Set(metrics))
    }

    /// Adds `metrics` to those that are offered on all days.
    static func offer(_ metrics: Set<HealthMetric>, to destination: String, over connection: SQLiteConnection) throws {
        for metric in metrics.sorted() {
            try connection.execute(
                """
                UPDATE former_delivery SET metrics = json_insert(metrics, '$[#]', ?2) WHERE destination = ?1
                    AND NOT EXISTS (SELECT 1 FROM json_each(metrics) WHERE value = ?2)
                """, destination, metric.rawValue)
        }
    }

    static func remove(_ destination: String, over connection: SQLiteConnection) throws {
        try connection.execute("DELETE FROM former_delivery WHERE destination = ?", destination)
    }

    /// Returns the stored figures that `destination` is not offered.
    static func omitted(destination: String, over connection: SQLiteConnection) throws -> OmittedRecords? {
        guard let former = try read(of: destination, over: connection) else { return nil }
        let counts = try connection.first(
            "SELECT count(*), count(DISTINCT metric) FROM daily_progress WHERE NOT \(isOffered)", destination
        ) { row in (records: try row.int(), metrics: try row.int()) }
        guard let counts, counts.records > 0 else { return nil }
        return OmittedRecords(count: counts.records, metrics: counts.metrics, lastDay: former.lastDay)
    }

    /// The condition that a row of `daily_progress` is offered to the destination `?1`, or that this is `NULL`.
    static let isOffered =
        """
        (day > coalesce((SELECT last_day FROM former_delivery WHERE destination = ?1), '')
            OR metric IN (SELECT value FROM former_delivery, json_each(metrics) WHERE destination = ?1))
        """
}
