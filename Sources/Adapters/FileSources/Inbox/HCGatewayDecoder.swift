import HealthSyncDomain
import HealthSyncPorts

/// HCGateway version 2, an Android app that posts the records of Health Connect as its library describes them.
///
/// `POST /api/v2/sync/{recordType}` with `{"data":[{"metadata":{"id","dataOrigin",…},"startTime","endTime",…}]}`, where
/// `data` may be one record, and `DELETE /api/v2/sync/{recordType}` with `{"uuid":[…]}`. The user types the token of the
/// device in place of the password.
struct HCGatewayDecoder: InboxDecoder {
    var name: String { "HCGateway" }
    var provider: String { "hcGateway" }
    var semantics: SourceSemantics { .changes }

    func recognizes(_ head: InboxHead, start: ArraySlice<UInt8>) -> Bool {
        ["POST", "DELETE"].contains(head.method) && Self.recordType(head) != nil
    }

    func handshake(_ head: InboxHead, body: ArraySlice<UInt8>) -> InboxHandshake? {
        guard head.method == "POST", head.path.suffix(3).dropLast().elementsEqual(["api", "v2"]),
            let object = JSONNode(Array(body))?.object
        else { return nil }
        switch head.path.last {
        case "login": return object.text("password").map { Self.login($0, status: 201) }
        case "refresh": return object.text("refresh").map { Self.login($0, status: 200) }
        default: return nil
        }
    }

    func answer(to head: InboxHead, body: () async -> [UInt8]?) async -> InboxAnswer {
        InboxAnswer(json: #"{"success":true}"#)
    }

    func reading(
        _ selection: SampleSelection, in context: SourceContext,
        receive: @escaping @Sendable (borrowing SampleBatch) throws -> Void
    ) -> any InboxReading {
        PostReading(selection, in: context, receive: receive) { post, samples in
            let body = try post.jsonObject()
            guard let kind = Self.recordType(post.head) else { throw post.undecodable("the path names no record type") }
            samples.version = nil
            if post.head.method == "DELETE" {
                guard let ids = body["uuid"] else { throw post.undecodable("the body contains no uuid") }
                let types = HealthConnectTable.types(of: kind)
                return ids.forEachElement { id in
                    guard let text = id.text else { return samples.note("a deletion without an identifier") }
                    samples.delete(text, of: types.count == 1 ? types.first : nil)
                }
            }
            guard let data = body["data"] else { throw post.undecodable("the body contains no data") }
            try data.forEachElement { element in
                guard HealthConnectTable.meaning(of: kind) != nil else { return samples.countSkipped(kind) }
                guard let record = HealthConnectRecord(element, kind: kind) else {
                    return samples.reject("not a JSON object", at: element)
                }
                samples.version = Self.version(of: record, receivedAt: post.head.receivedAt, &samples)
                try record.add(to: &samples)
            }
        }
    }

    /// Returns the time at which Health Connect last changed a record. A record of several samples without that time has
    /// the time of the post, so that its samples replace those of earlier posts.
    private static func version(
        of record: HealthConnectRecord, receivedAt: Instant, _ samples: inout DecodedSamples
    ) -> Int64? {
        let modified = record.record["metadata"]?.object?.text("lastModifiedTime")
        if let modified, let instant = try? samples.instant(modified) { return instant.milliseconds }
        return record.hasSeveralSamples ? receivedAt.milliseconds : nil
    }

    private static func recordType(_ head: InboxHead) -> String? {
        let end = head.path.suffix(3)
        return end.count == 3 && end.dropLast().elementsEqual(["v2", "sync"]) ? end.last : nil
    }

    /// The token that the app gets is the one that the user typed; it expires when the user removes the device.
    private static func login(_ token: String, status: Int) -> InboxHandshake {
        .login(token: token) { token, _ in
            var json = JSONWriter()
            json.beginObject()
            json.name("token")
            json.string(token)
            json.name("refresh")
            json.string(token)
            json.name("expiry")
            json.string("2199-12-31T00:00:00")
            json.endObject()
            return InboxAnswer(status: status, json: String(decoding: json.bytes, as: UTF8.self))
        }
    }
}
