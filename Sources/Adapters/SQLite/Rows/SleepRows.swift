import HealthSyncDomain

/// A session with the text of its stages.
struct EncodedSleep: Sendable {
    let revised: RevisedRecord<SleepSession>
    let stages: [UInt8]

    init(_ revised: RevisedRecord<SleepSession>) {
        self.revised = revised
        stages = RecordText.stages(revised.record.stages)
    }
}

/// Rows of `sleep_session`.
enum SleepRows {
    /// The columns that `record` reads.
    static let columns = """
        source_id, revision, night, day, start_ms, end_ms, offset_s, role, is_preferred, source_name, device,
        is_user_entered, is_pre_aggregated, in_bed_ms, asleep_ms, awake_ms, core_ms, deep_ms, rem_ms, unspecified_ms,
        stages
        """

    static func store(_ sessions: [EncodedSleep], over connection: SQLiteConnection) throws {
        try connection.insert(
            "INSERT INTO sleep_session (\(columns))", rows: sessions.map(values),
            """
            ON CONFLICT (source_id) DO UPDATE SET revision = excluded.revision, night = excluded.night,
                day = excluded.day, start_ms = excluded.start_ms, end_ms = excluded.end_ms,
                offset_s = excluded.offset_s, role = excluded.role, is_preferred = excluded.is_preferred,
                source_name = excluded.source_name, device = excluded.device,
                is_user_entered = excluded.is_user_entered, is_pre_aggregated = excluded.is_pre_aggregated,
                in_bed_ms = excluded.in_bed_ms, asleep_ms = excluded.asleep_ms, awake_ms = excluded.awake_ms,
                core_ms = excluded.core_ms, deep_ms = excluded.deep_ms, rem_ms = excluded.rem_ms,
                unspecified_ms = excluded.unspecified_ms, stages = excluded.stages
            """)
    }

    private static func values(of encoded: EncodedSleep) -> [any SQLiteBindable] {
        let session = encoded.revised.record
        let durations = session.durations
        return [
            encoded.revised.sourceID, encoded.revised.revision, session.night, session.day, session.interval.start,
            session.interval.end, session.offsetSeconds, session.role.rawValue, session.isPreferred,
            session.origin.sourceName, session.origin.device, session.origin.isUserEntered,
            session.origin.isPreAggregated, durations.inBed, durations.asleep, durations.awake, durations.core,
            durations.deep, durations.rem, durations.unspecified, SQLiteValue.utf8(encoded.stages),
        ]
    }

    /// Deletes the session with `sourceID`.
    static func remove(_ sourceID: String, over connection: SQLiteConnection) throws {
        try connection.execute("DELETE FROM sleep_session WHERE source_id = ?", sourceID)
    }

    static func record(_ row: SQLiteStatement, path: String) throws -> RevisedRecord<SleepSession> {
        let sourceID = try row.text()
        let revision = try row.int()
        let night = try row.day()
        let day = try row.day()
        let interval = InstantRange(start: try row.instant(), end: try row.instant())
        let offset = try row.utcOffset()
        let role = SleepSession.Role(rawValue: try row.text())
        let isPreferred = try row.bool()
        let origin = SampleOrigin(
            sourceName: try row.text(), device: try row.text(), isUserEntered: try row.bool(),
            isPreAggregated: try row.bool())
        let durations = try durations(row)
        let stages = try? RecordText.stages(from: try row.utf8())
        guard let role, let stages else {
            throw SQLiteFailure.damaged(path, "the database contains an unreadable sleep session")
        }
        let session = SleepSession(
            night: night, day: day, interval: interval, origin: origin, role: role, isPreferred: isPreferred,
            offsetSeconds: offset, stages: stages, durations: durations)
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
