import HealthSyncDomain

/// Reads sleep sessions and computes their figures from the stages.
enum SleepReader {
    /// The names of the figures, in the order of `SleepDurations.sentFigures`.
    static let figureNames: [StaticString] = [
        "time_in_bed_minutes", "total_sleep_minutes", "awake_minutes", "rem_minutes", "core_minutes", "deep_minutes",
        "sleep_efficiency_percentage",
    ]

    static func read(_ element: JSONValue) throws(RejectedRecord) -> ReceivedRecord {
        var members = MemberReader(element: element)
        let stated = try members.optionalString("source_id", atMost: 256)
        members.id = stated ?? ""
        let start = try members.time("start_time")
        let end = try members.time("end_time")
        guard start.instant <= end.instant else { throw members.rejection("end_time is before start_time") }
        let source = try members.optionalString("source")
        // Older clients omit the id. Sessions of one source with the same start are then the same session.
        if members.id.isEmpty { members.id = "\(source ?? "")@\(RFC3339.string(start.instant))" }
        let revision = try members.revision()
        let stages = try SleepStages(of: members)
        let place = try SleepPlace(of: members)
        let figures = stages.figures(within: InstantRange(start: start.instant, end: end.instant))
        var writer = JSONWriter(reserving: 512 + 128 * stages.intervals.count)
        writer.beginObject()
        writer.name("start_time")
        writer.string(start.text)
        writer.name("end_time")
        writer.string(end.text)
        for (name, value) in zip(figureNames, figures.sentFigures) {
            writer.name(name)
            writer.number(value)
        }
        writer.name("source")
        writer.string(source)
        writer.name("source_id")
        writer.string(members.id)
        writer.name("notes")
        writer.string(try members.optionalString("notes", atMost: 10_000))
        writer.name("revision")
        writer.integer(revision)
        writer.name("stages")
        writer.raw(stages.json)
        place?.write(to: &writer)
        writer.endObject()
        return ReceivedRecord(
            id: members.id, revision: revision, day: place?.day ?? MemberReader.wallDay(of: start),
            start: start.instant,
            body: writer.bytes)
    }
}
