import HealthSyncDomain

/// Reads activity snapshots of days. A figure that was not measured is null.
enum SnapshotReader {
    /// The names of the figures in ascending order.
    static let figures: [StaticString] = [
        "active_energy_kcal", "exercise_minutes", "resting_heart_rate", "sleep_minutes", "steps", "walking_distance_km",
    ]

    static func read(_ element: JSONValue) throws(RejectedRecord) -> ReceivedRecord {
        var members = MemberReader(element: element)
        let stated = try members.optionalString("source_id", atMost: 256)
        members.id = stated ?? ""
        guard let day = try members.optionalDay("day") else { throw members.rejection("day is missing") }
        if members.id.isEmpty { members.id = "snapshot/\(day)" }
        let revision = try members.revision()
        var writer = JSONWriter()
        writer.beginObject()
        writer.name("day")
        writer.string(day.description)
        for name in figures {
            writer.name(name)
            writer.number(try members.optionalNumber(name, atLeast: 0))
        }
        writer.name("revision")
        writer.integer(revision)
        writer.name("source_id")
        writer.string(members.id)
        writer.endObject()
        return ReceivedRecord(
            id: members.id, revision: revision, day: day, start: day.utcStart, body: writer.bytes)
    }
}
