import HealthSyncDomain

/// Rows of `activity_snapshot`.
enum SnapshotRows {
    /// The columns that `record` reads.
    static let columns = """
        source_id, revision, day, steps, walking_distance_km, active_energy_kcal, exercise_minutes, resting_heart_rate,
        minutes_asleep
        """

    static func store(_ snapshots: [RevisedRecord<ActivitySnapshot>], over connection: SQLiteConnection) throws {
        try connection.insert(
            "INSERT OR REPLACE INTO activity_snapshot (\(columns))",
            rows: try snapshots.map { try values(of: $0, path: connection.path) })
    }

    private static func values(
        of revised: RevisedRecord<ActivitySnapshot>, path: String
    ) throws -> [any SQLiteBindable] {
        let snapshot = revised.record
        let figures = [
            snapshot.steps, snapshot.walkingDistanceKilometres, snapshot.activeEnergyKilocalories,
            snapshot.exerciseMinutes, snapshot.restingHeartRate, snapshot.minutesAsleep,
        ]
        guard figures.allSatisfy({ $0?.isFinite ?? true }) else {
            throw SQLiteFailure.notFinite("the activity snapshot of \(snapshot.day)", path: path)
        }
        return [revised.sourceID, revised.revision, snapshot.day] + figures.map { $0 as any SQLiteBindable }
    }

    /// Deletes the snapshot of `day`.
    static func remove(_ day: CalendarDay, over connection: SQLiteConnection) throws {
        try connection.execute("DELETE FROM activity_snapshot WHERE day = ?", day)
    }

    static func record(_ row: SQLiteStatement) throws -> RevisedRecord<ActivitySnapshot> {
        let sourceID = try row.text()
        let revision = try row.int()
        var snapshot = ActivitySnapshot(day: try row.day())
        snapshot.steps = try row.optional { try $0.real() }
        snapshot.walkingDistanceKilometres = try row.optional { try $0.real() }
        snapshot.activeEnergyKilocalories = try row.optional { try $0.real() }
        snapshot.exerciseMinutes = try row.optional { try $0.real() }
        snapshot.restingHeartRate = try row.optional { try $0.real() }
        snapshot.minutesAsleep = try row.optional { try $0.real() }
        return RevisedRecord(snapshot, sourceID: sourceID, revision: revision)
    }
}
