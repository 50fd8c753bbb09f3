import HealthSyncDomain

/// The members by which a page says where it stands.
enum RecordPage {
    static func write(_ query: RecordQuery, count: Int, total: Int, to writer: inout JSONWriter) {
        writer.name("total")
        writer.integer(total)
        writer.name("limit")
        writer.integer(query.limit)
        writer.name("offset")
        writer.integer(query.offset)
        writer.name("has_more")
        writer.bool(query.offset + count < total)
    }
}
