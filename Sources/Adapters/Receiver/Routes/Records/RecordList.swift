import HealthSyncDomain

/// The records in the body of a request. Each record is validated separately, and an invalid one is rejected
/// separately.
struct RecordList {
    private(set) var records: [ReceivedRecord] = []
    private(set) var rejected: [RejectedRecord] = []

    /// Reads the member `name` of the body, an array of objects, each with `read`.
    ///
    /// - Throws: `RequestError` if the body has no such array.
    init(
        _ body: [UInt8], name: StaticString, atMost limit: Int,
        read: (JSONValue) throws(RejectedRecord) -> ReceivedRecord
    ) throws {
        do {
            var list = Self()
            try JSONText.read(body) { root in
                guard root.isObject, let members = root[name] else {
                    throw RequestError(400, "expected {\"\(name)\": [...]}")
                }
                guard members.isArray else { throw RequestError(400, "\(name) must be an array") }
                try list.addAll(members, name: name, atMost: limit, read: read)
            }
            self = list
        } catch is InvalidJSON {
            throw RequestError(400, "the body is not valid JSON")
        }
    }

    private init() {}

    /// Reads a single record.
    init(_ element: JSONValue, read: (JSONValue) throws(RejectedRecord) -> ReceivedRecord) {
        add(element, read: read)
    }

    private mutating func addAll(
        _ members: JSONValue, name: StaticString, atMost limit: Int,
        read: (JSONValue) throws(RejectedRecord) -> ReceivedRecord
    ) throws {
        try members.forEachElement { element in
            guard element.isObject else { throw RequestError(400, "each element of \(name) must be an object") }
            guard records.count + rejected.count < limit else {
                throw RequestError(413, "a request must have at most \(limit) records")
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

    /// Stores the valid records and returns a report.
    func store(_ kind: RecordKind, for request: APIRequest, key: BatchKey?) async throws -> OutcomeReport {
        let outcomes = try await request.store(.records(kind, records), key: key)
        return OutcomeReport(outcomes: outcomes, rejected: rejected) { records[$0].id }
    }
}
