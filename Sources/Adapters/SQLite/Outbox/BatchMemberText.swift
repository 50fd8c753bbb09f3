import HealthSyncDomain

/// The text of `outbox_batch.items`: `[{"item":1,"members":["…"]},…]`.
enum BatchMemberText {
    static func text(of batch: OutboxBatch) -> [UInt8] {
        var json = JSONBytes(reserving: 2 + batch.itemIDs.count * 64)
        json.array(Array(zip(batch.itemIDs, batch.recordIDs))) { json, item in
            json.raw("{\"item\":")
            json.number(item.0)
            json.raw(",\"members\":")
            json.array(item.1) { json, member in json.string(member) }
            json.raw("}")
        }
        return json.bytes
    }

    static func members(from text: [UInt8]) throws(UnexpectedJSON) -> [(item: Int64, members: [String])] {
        try JSONByteReader.elements(of: text) { (reader) throws(UnexpectedJSON) in
            try reader.expect("{\"item\":")
            let item = try reader.integer()
            try reader.expect(",\"members\":")
            let members = try reader.array { (reader) throws(UnexpectedJSON) in try reader.string() }
            try reader.expect("}")
            return (item: item, members: members)
        }
    }
}
