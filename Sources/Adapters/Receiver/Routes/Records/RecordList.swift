import HealthSyncDomain

/// Reads the list of records out of a request's body: each is read alone, and one that cannot be is refused alone.
struct RecordList {
    private(set) var records: [ReceivedRecord] = []
    private(set) var rejected: [RejectedRecord] = []

    /// Reads the member `name` of the body, a list of objects, each by `read`.
    ///
    /// - Throws: `Refusal` where the body has no such list.
    init(
        _ body: [UInt8], name: StaticString, atMost limit: Int,
        read: (JSONValue) throws(RejectedRecord) -> ReceivedRecord
    ) throws {
        do {
            var list = Self()
            try JSONText.read(body) { root in
                guard root.isObject, let members = root[name] else {
                    throw Refusal(400, "expected {\"\(name)\": [...]}")
                }
                guard members.isArray else { throw Refusal(400, "\(name) must be a list") }
                try list.take(members, name: name, atMost: limit, read: read)
            }
            self = list
        } catch is InvalidJSON {
            throw Refusal(400, "the body is not JSON")
        }
    }

    private init() {}

    /// One record alone.
    init(_ element: JSONValue, read: (JSONValue) throws(RejectedRecord) -> ReceivedRecord) {
        add(element, read: read)
    }

    private mutating func take(
        _ members: JSONValue, name: StaticString, atMost limit: Int,
        read: (JSONValue) throws(RejectedRecord) -> ReceivedRecord
    ) throws {
        try members.forEachElement { element in
            guard element.isObject else { throw Refusal(400, "each of \(name) must be an object") }
            guard records.count + rejected.count < limit else {
                throw Refusal(413, "at most \(limit) records a request")
            }
            add(element, read: read)
        }
    }

    private mutating func add(
        _ element: JSONValue, read: (JSONValue) throws(RejectedRecord) -> ReceivedRecord
    ) {
        do throws(RejectedRecord) {
            records.append(try read(element))
        } catch {
            rejected.append(error)
        }
    }

    /// Stores the records and reports.
    func store(_ kind: RecordKind, by request: APIRequest, body: [UInt8]) async throws -> OutcomeReport {
        let outcomes = try await request.store(.records(kind, records), key: try request.batchKey(of: body))
        return OutcomeReport(outcomes: outcomes, rejected: rejected) { records[$0].id }
    }
}
