import HealthSyncDomain

/// The text of `outbox_item.member_ids`: `["…","…"]`.
enum MemberText {
    static func text(_ members: [String]) -> [UInt8] {
        var json = JSONBytes(reserving: 2 + members.count * 40)
        json.array(members) { json, member in json.string(member) }
        return json.bytes
    }

    static func members(from text: [UInt8]) throws(UnexpectedJSON) -> [String] {
        var reader = JSONByteReader(text)
        let members = try reader.array { (reader) throws(UnexpectedJSON) in try reader.string() }
        guard reader.isAtEnd else { throw UnexpectedJSON() }
        return members
    }
}
