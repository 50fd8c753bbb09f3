import HealthSyncDomain

/// The text of `outbox_item.member_ids`: `["…","…"]`.
enum MemberText {
    static func text(_ members: [String]) -> [UInt8] {
        var json = JSONBytes(reserving: 2 + members.count * 40)
        json.array(members) { json, member in json.string(member) }
        return json.bytes
    }

    static func members(from text: [UInt8]) throws(UnexpectedJSON) -> [String] {
        try JSONByteReader.elements(of: text) { (reader) throws(UnexpectedJSON) in try reader.string() }
    }
}
