import HealthSyncDomain
import HealthSyncPorts

/// The rows of `complete_part`. Triggers remove them when a page changes, tracking is forgotten or the ledger shrinks.
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

    /// Forgets what servers were offered: stored records or deletions have other revisions now.
    static func forgetServers(over connection: SQLiteConnection) throws {
        try connection.execute("DELETE FROM complete_part WHERE substr(part, 1, 7) = 'server/'")
    }

    /// Forgets what follows from the days of `metric`: the metric, the activity snapshots, what servers were offered.
    static func forget(whatFollowsFrom metric: HealthMetric, over connection: SQLiteConnection) throws {
        try connection.execute(
            """
            DELETE FROM complete_part
            WHERE part IN (?, 'metric/activitySnapshot') OR substr(part, 1, 7) = 'server/'
            """, CompletePart.metric(metric).name)
    }
}
