import HealthSyncDomain

/// Reads the figures of metrics.
enum ProgressReader {
    static func read(_ element: JSONValue) throws(RejectedRecord) -> ReceivedRecord {
        var members = MemberReader(element: element)
        members.id = try members.string("source_id", atMost: 256)
        let type = try members.string("type", atMost: 128)
        let granularity = try members.string("granularity", atMost: 16)
        guard granularity == "hour" || granularity == "day" else {
            throw members.rejection("granularity must be hour or day")
        }
        let stated = try members.optionalTime("start")
        guard let day = try members.optionalDay("day") ?? stated.map(MemberReader.wallDay) else {
            throw members.rejection("day is missing")
        }
        if granularity == "hour", stated == nil { throw members.rejection("start is missing") }
        guard let quantity = try members.optionalNumber("quantity") else {
            throw members.rejection("quantity is missing")
        }
        let revision = try members.revision()
        let start = stated?.instant ?? day.utcStart
        var writer = JSONWriter()
        writer.beginObject()
        writer.name("count")
        writer.number(try members.optionalCount("count").map { Double($0) })
        writer.name("day")
        writer.string(day.description)
        writer.name("granularity")
        writer.string(granularity)
        try addHeldTime(members, to: &writer)
        for name: StaticString in ["max", "min"] {
            writer.name(name)
            writer.number(try members.optionalNumber(name))
        }
        writer.name("quantity")
        writer.number(quantity)
        writer.name("revision")
        writer.integer(revision)
        writer.name("source_id")
        writer.string(members.id)
        writer.name("start")
        if let stated { writer.string(stated.text) } else { writer.time(start) }
        writer.name("type")
        writer.string(type)
        writer.name("unit")
        writer.string(try members.optionalString("unit", atMost: 64))
        writer.endObject()
        return ReceivedRecord(
            id: members.id, revision: revision, type: type, granularity: granularity, day: day, start: start,
            body: writer.bytes)
    }

    /// Omitted if missing, so that entries of older clients are stored unchanged.
    private static func addHeldTime(_ members: MemberReader, to writer: inout JSONWriter) throws(RejectedRecord) {
        guard let held = try members.optionalCount("held_ms") else { return }
        writer.name("held_ms")
        writer.integer(held)
    }
}
