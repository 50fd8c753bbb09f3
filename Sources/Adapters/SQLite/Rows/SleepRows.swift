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
            SQLiteValue.utf8(RecordText.stretches(session.share?.stretches ?? [])),
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
        let stages = try? RecordText.stages(from: try row.utf8())
        let counts = try row.bool()
        let stretches = try? RecordText.stretches(from: try row.utf8())
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
