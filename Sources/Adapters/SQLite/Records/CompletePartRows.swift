import HealthSyncDomain
import HealthSyncPorts

/// Rows of `complete_part`. Triggers delete them when a page changes, tracking is reset or the ledger shrinks.
enum CompletePartRows {
    static func rules(of part: CompletePart, over connection: SQLiteConnection) throws -> ContentDigest? {
        try connection.first("SELECT rules FROM complete_part WHERE part = ?", part.name) { try $0.digest() }
    }

    static func store(_ parts: [CompletePart: ContentDigest], over connection: SQLiteConnection) throws {
        for (part, rules) in parts {
            try connection.execute(
                "INSERT OR REPLACE INTO complete_part (part, rules) VALUES (?, ?)", part.name, rules)
        }
    }

    /// Deletes the rows of servers: stored records or deletions now have other revisions.
    static func forgetServers(over connection: SQLiteConnection) throws {
        try connection.execute("DELETE FROM complete_part WHERE substr(part, 1, 7) = 'server/'")
    }

    /// Deletes the rows that depend on the days of `metric`: the metric, the activity snapshots and the servers.
    static func forget(dependentsOf metric: HealthMetric, over connection: SQLiteConnection) throws {
        try connection.execute(
            """
            DELETE FROM complete_part
            WHERE part IN (?, 'metric/activitySnapshot') OR substr(part, 1, 7) = 'server/'
            """, CompletePart.metric(metric).name)
    }
}
