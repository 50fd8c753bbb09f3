import HealthSyncDomain

/// The figures of a day with their texts.
struct EncodedProgress: Sendable {
    let revised: RevisedRecord<DailyProgress>
    let origins: [UInt8]
    let hours: [UInt8]

    init(_ revised: RevisedRecord<DailyProgress>) {
        self.revised = revised
        origins = RecordJSON.origins(revised.record.origins)
        hours = RecordJSON.hours(revised.record.hours)
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
            progress.hours = try RecordJSON.hours(from: try row.json())
            progress.origins = try RecordJSON.origins(from: try row.json())
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

/// A session with the text of its stages.
struct EncodedSleep: Sendable {
    let revised: RevisedRecord<SleepSession>
    let stages: [UInt8]

    init(_ revised: RevisedRecord<SleepSession>) {
        self.revised = revised
        stages = RecordJSON.stages(revised.record.stages)
    }
}

/// Rows of `sleep_session`.
enum SleepRows {
    /// The columns that `record` reads.
    static let columns = names.joined(separator: ", ")

    private static let names = [
        "source_id", "revision", "day", "onset_ms", "start_ms", "end_ms", "offset_s", "role", "source_name",
        "device", "is_user_entered", "is_pre_aggregated", "in_bed_ms", "asleep_ms", "awake_ms", "core_ms", "deep_ms",
        "rem_ms", "unspecified_ms", "stages", "counts", "stretches", "counted_in_bed_ms", "counted_asleep_ms",
        "counted_awake_ms", "counted_core_ms", "counted_deep_ms", "counted_rem_ms", "counted_unspecified_ms",
    ]

    static func store(_ sessions: [EncodedSleep], over connection: SQLiteConnection) throws {
        let changes = names.dropFirst().map { "\($0) = excluded.\($0)" }.joined(separator: ", ")
        try connection.insert(
            "INSERT INTO sleep_session (\(columns))", rows: sessions.map(values),
            "ON CONFLICT (source_id) DO UPDATE SET \(changes)")
    }

    private static func values(of encoded: EncodedSleep) -> [any SQLiteBindable] {
        let session = encoded.revised.record
        return [
            encoded.revised.sourceID, encoded.revised.revision, session.day, session.onset,
            session.interval.start, session.interval.end, session.offsetSeconds, session.role.rawValue,
            session.origin.sourceName, session.origin.device, session.origin.isUserEntered,
            session.origin.isPreAggregated,
        ] + values(of: session.durations) + [
            SQLiteValue.utf8(encoded.stages), session.share != nil,
            SQLiteValue.utf8(RecordJSON.stretches(session.share?.stretches ?? [])),
        ] + values(of: session.share?.durations ?? SleepDurations())
    }

    private static func values(of durations: SleepDurations) -> [any SQLiteBindable] {
        [
            durations.inBed, durations.asleep, durations.awake, durations.core, durations.deep, durations.rem,
            durations.unspecified,
        ]
    }

    /// Deletes the session with `sourceID`.
    static func remove(_ sourceID: String, over connection: SQLiteConnection) throws {
        try connection.execute("DELETE FROM sleep_session WHERE source_id = ?", sourceID)
    }

    static func record(_ row: SQLiteStatement, path: String) throws -> RevisedRecord<SleepSession> {
        let sourceID = try row.text()
        let revision = try row.int()
        let (day, onset) = (try row.day(), try row.instant())
        let interval = InstantRange(start: try row.instant(), end: try row.instant())
        let offset = try row.utcOffset()
        let role = SleepSession.Role(rawValue: try row.text())
        let origin = SampleOrigin(
            sourceName: try row.text(), device: try row.text(), isUserEntered: try row.bool(),
            isPreAggregated: try row.bool())
        let durations = try durations(row)
        let stages = try? RecordJSON.stages(from: try row.utf8())
        let counts = try row.bool()
        let stretches = try? RecordJSON.stretches(from: try row.utf8())
        let counted = try Self.durations(row)
        guard let role, let stages, let stretches else {
            throw SQLiteFailure.damaged(path, "the database contains an unreadable sleep session")
        }
        let session = SleepSession(
            day: day, onset: onset, role: role, interval: interval, origin: origin,
            offsetSeconds: offset, stages: stages, durations: durations,
            share: counts ? SleepShare(stretches: stretches, durations: counted) : nil)
        return RevisedRecord(session, sourceID: sourceID, revision: revision)
    }

    private static func durations(_ row: SQLiteStatement) throws -> SleepDurations {
        var durations = SleepDurations()
        durations.inBed = try row.duration()
        durations.asleep = try row.duration()
        durations.awake = try row.duration()
        durations.core = try row.duration()
        durations.deep = try row.duration()
        durations.rem = try row.duration()
        durations.unspecified = try row.duration()
        return durations
    }
}

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
