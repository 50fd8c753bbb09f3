import HealthSyncDomain

/// The figures of a day with their texts.
struct EncodedProgress: Sendable {
    let revised: RevisedRecord<DailyProgress>
    let origins: [UInt8]
    let hours: [UInt8]

    init(_ revised: RevisedRecord<DailyProgress>) {
        self.revised = revised
        origins = RecordText.origins(revised.record.origins)
        hours = RecordText.hours(revised.record.hours)
    }
}

/// Rows of `daily_progress`.
enum ProgressRows {
    /// The columns that `record` reads.
    static let columns = """
        source_id, revision, metric, day, start_ms, unit, quantity, minimum, maximum, count, held_ms, hours, origins
        """
    /// The same columns with an empty array instead of the hours.
    static let columnsWithoutHours = """
        source_id, revision, metric, day, start_ms, unit, quantity, minimum, maximum, count, held_ms, '[]', origins
        """

    static func store(
        _ progress: [EncodedProgress], derivedBy metric: HealthMetric, over connection: SQLiteConnection
    ) throws {
        try connection.insert(
            """
            INSERT INTO daily_progress (metric, day, derived_by, source_id, revision, start_ms, unit, quantity, minimum,
                maximum, count, held_ms, origins, hours)
            """,
            rows: try progress.map { try values(of: $0, derivedBy: metric, path: connection.path) },
            """
            ON CONFLICT (metric, day) DO UPDATE SET derived_by = excluded.derived_by, source_id = excluded.source_id,
                revision = excluded.revision, start_ms = excluded.start_ms, unit = excluded.unit,
                quantity = excluded.quantity, minimum = excluded.minimum, maximum = excluded.maximum,
                count = excluded.count, held_ms = excluded.held_ms, origins = excluded.origins, hours = excluded.hours
            """)
    }

    private static func values(
        of encoded: EncodedProgress, derivedBy metric: HealthMetric, path: String
    ) throws -> [any SQLiteBindable] {
        let progress = encoded.revised.record
        guard isFinite(progress) else {
            throw SQLiteFailure.notFinite("\(progress.metric) on \(progress.day)", path: path)
        }
        return [
            progress.metric.rawValue, progress.day, metric.rawValue, encoded.revised.sourceID, encoded.revised.revision,
            progress.start, progress.unit, progress.figures.quantity, progress.figures.minimum,
            progress.figures.maximum, progress.figures.count, progress.figures.heldMilliseconds,
            SQLiteValue.utf8(encoded.origins), SQLiteValue.utf8(encoded.hours),
        ]
    }

    /// Deletes the row of `key`.
    static func remove(_ key: ProgressKey, over connection: SQLiteConnection) throws {
        try connection.execute(
            "DELETE FROM daily_progress WHERE metric = ? AND day = ?", key.metric.rawValue, key.day)
    }

    static func record(_ row: SQLiteStatement, path: String) throws -> RevisedRecord<DailyProgress> {
        let sourceID = try row.text()
        let revision = try row.int()
        var progress = DailyProgress(
            metric: HealthMetric(rawValue: try row.text()), day: try row.day(), start: try row.instant(),
            unit: try row.text(), figures: ProgressFigures(quantity: try row.real()))
        progress.figures.minimum = try row.optional { try $0.real() }
        progress.figures.maximum = try row.optional { try $0.real() }
        progress.figures.count = try row.optional { try $0.int() }
        progress.figures.heldMilliseconds = try row.optional { try $0.integer() }
        do throws(UnexpectedJSON) {
            progress.hours = try RecordText.hours(from: try row.json())
            progress.origins = try RecordText.origins(from: try row.json())
        } catch {
            throw SQLiteFailure.damaged(path, "the database contains unreadable hours of \(progress.metric)")
        }
        return RevisedRecord(progress, sourceID: sourceID, revision: revision)
    }

    private static func isFinite(_ progress: DailyProgress) -> Bool {
        func isFinite(_ figures: ProgressFigures) -> Bool {
            figures.quantity.isFinite && figures.minimum?.isFinite ?? true && figures.maximum?.isFinite ?? true
        }
        return isFinite(progress.figures) && progress.hours.allSatisfy { isFinite($0.figures) }
            && progress.origins.allSatisfy(\.quantity.isFinite)
    }
}
