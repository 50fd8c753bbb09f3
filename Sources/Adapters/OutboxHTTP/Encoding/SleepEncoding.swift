import HealthSyncDomain

/// One session, for `POST /api/v1/sleep`, with times in the user's time zone.
///
/// What the session is a part of comes last, so that it can be left out for a server that does not take it.
enum SleepEncoding {
    /// No text can contain these bytes, because quotes in texts are escaped.
    private static let placeBegins = Array(",\"counted\":".utf8)

    /// Returns `payload` without what the session is a part of.
    static func withoutPlace(_ payload: [UInt8]) -> [UInt8] {
        guard let place = payload.firstRange(of: placeBegins) else { return payload }
        return payload[..<place.lowerBound] + [UInt8(ascii: "}")]
    }

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
        writePlace(of: session, to: &writer)
        writer.raw("}")
        return writer.bytes
    }

    private static func writePlace(of session: SleepSession, to writer: inout JSONBytes) {
        writer.raw(",\"counted\":")
        if let share = session.share {
            writeCounted(share.durations, to: &writer)
            writer.raw(",\"stretches\":[")
            for (index, stretch) in share.stretches.enumerated() {
                writer.raw(index == 0 ? "{\"end_time\":" : ",{\"end_time\":")
                writer.string(RFC3339.string(stretch.end, offsetSeconds: session.offsetSeconds))
                writer.raw(",\"start_time\":")
                writer.string(RFC3339.string(stretch.start, offsetSeconds: session.offsetSeconds))
                writer.raw("}")
            }
            writer.raw("]}")
        } else {
            writer.raw("null")
        }
        writer.raw(",\"day\":")
        writer.string(session.day.description)
        writer.raw(",\"night_id\":")
        writer.string(session.nightID)
        writer.raw(",\"role\":")
        writer.string(session.role.rawValue)
    }

    private static func writeCounted(_ durations: SleepDurations, to writer: inout JSONBytes) {
        func minutes(_ milliseconds: Int64) { writer.number(Double(milliseconds) / 60_000) }
        writer.raw("{\"asleep_minutes\":")
        minutes(durations.asleep)
        writer.raw(",\"awake_minutes\":")
        minutes(durations.awake)
        writer.raw(",\"core_minutes\":")
        minutes(durations.core)
        writer.raw(",\"deep_minutes\":")
        minutes(durations.deep)
        writer.raw(",\"rem_minutes\":")
        minutes(durations.rem)
        writer.raw(",\"time_in_bed_minutes\":")
        minutes(durations.inBed)
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
