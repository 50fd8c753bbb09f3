import HealthSyncDomain

/// One session, for `POST /api/v1/sleep`, with times in the user's time zone.
enum SleepEncoding {
    static func payload(_ revised: RevisedRecord<SleepSession>) -> [UInt8] {
        let session = revised.record
        var writer = JSONBytes(reserving: 256 + 128 * session.stages.count)
        func time(_ instant: Instant) { writer.string(RFC3339.string(instant, offsetSeconds: session.offsetSeconds)) }
        writer.raw("{\"end_time\":")
        time(session.interval.end)
        writer.raw(",\"notes\":null,\"revision\":")
        writer.number(Int64(revised.revision))
        writer.raw(",\"source\":")
        writer.string(session.origin.sourceName)
        writer.raw(",\"source_id\":")
        writer.string(revised.sourceID)
        if session.stages.isEmpty { writeStageMinutes(session.durations, to: &writer) }
        writer.raw(",\"stages\":[")
        for (index, stage) in session.stages.enumerated() {
            writer.raw(index == 0 ? "{\"end_time\":" : ",{\"end_time\":")
            time(stage.interval.end)
            writer.raw(",\"stage\":")
            writer.string(stage.stage.rawValue)
            writer.raw(",\"start_time\":")
            time(stage.interval.start)
            writer.raw("}")
        }
        writer.raw("],\"start_time\":")
        time(session.interval.start)
        writer.raw("}")
        return writer.bytes
    }

    /// Writes the minutes of each stage. A server cannot compute them for a night of which only sums are known.
    private static func writeStageMinutes(_ durations: SleepDurations, to writer: inout JSONBytes) {
        func minutes(_ milliseconds: Int64) { writer.number(Double(milliseconds) / 60_000) }
        writer.raw(",\"stage_minutes\":{\"asleep\":")
        minutes(durations.unspecified)
        writer.raw(",\"awake\":")
        minutes(durations.awake)
        writer.raw(",\"core\":")
        minutes(durations.core)
        writer.raw(",\"deep\":")
        minutes(durations.deep)
        writer.raw(",\"rem\":")
        minutes(durations.rem)
        writer.raw("}")
    }
}
