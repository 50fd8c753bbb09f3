extension Migration {
    /// Remembers which metrics the known servers had, because every quantity in the data becomes a metric: the old days of
    /// the further metrics are not delivered to them by surprise. The next run tells the user once.
    ///
    /// A server that is offered more no longer counts as complete.
    static let formerDeliveries = Migration(
        number: 21,
        sql: """
            CREATE TABLE former_delivery (
                destination TEXT PRIMARY KEY,
                last_day TEXT NOT NULL,
                metrics TEXT NOT NULL
            ) STRICT, WITHOUT ROWID;
            INSERT INTO former_delivery
                SELECT destination, (SELECT max(day) FROM daily_progress),
                    (SELECT json_group_array(metric) FROM (SELECT DISTINCT metric FROM daily_progress ORDER BY metric))
                FROM (
                    SELECT address AS destination FROM destination UNION SELECT destination FROM outbox_item
                    UNION SELECT destination FROM delivered)
                WHERE EXISTS (SELECT 1 FROM daily_progress);
            CREATE TRIGGER former_delivery_delete_ends_complete_parts AFTER DELETE ON former_delivery
            WHEN EXISTS (SELECT 1 FROM complete_part)
            BEGIN
                DELETE FROM complete_part WHERE part = 'server/' || OLD.destination;
            END;
            CREATE TRIGGER former_delivery_update_ends_complete_parts AFTER UPDATE ON former_delivery
            WHEN EXISTS (SELECT 1 FROM complete_part)
            BEGIN
                DELETE FROM complete_part WHERE part = 'server/' || OLD.destination;
            END;
            CREATE TABLE notice (
                name TEXT PRIMARY KEY
            ) STRICT, WITHOUT ROWID;
            INSERT INTO notice SELECT 'furtherMetrics' WHERE EXISTS (SELECT 1 FROM day_tracking);
            """)
}
