import HealthSyncDomain
import HealthSyncPorts

/// `POST /api/v1/deletions/steps` and `POST /api/v1/deletions/samples/{type}`: stores the tombstones of many raw samples in
/// one transaction, with the outcome that `DELETE` has for each.
struct PostDeletions: Endpoint {
    let form: SampleReader.Form

    var operation: Operation {
        let isSteps = form == .steps
        return Operation(
            "POST", isSteps ? "/api/v1/deletions/steps" : "/api/v1/deletions/samples/{type}", .scope(.delete),
            OpenAPIOperation(
                summary: isSteps ? "Mark step samples as deleted" : "Mark samples as deleted",
                path: isSteps ? [] : [("type", OpenAPIOperation.Schema.sampleType)], body: "DeletionsRequest",
                responses: [(200, "IngestResponse")], errors: OpenAPIOperation.writeErrors))
    }

    func response(to request: APIRequest) async throws -> HTTPResponse {
        let type = try request.sampleType()
        let (reader, key) = try await request.decoded {
            let body = try request.body()
            return (
                try DeletionReader.read(body, atMost: request.services.limits.samples), try request.batchKey(of: body)
            )
        }
        let outcomes = try await request.store(
            .samples(type: type, ReceivedSampleBatch(samples: reader.tombstones)), key: key)
        return OutcomeReport(outcomes: outcomes, rejected: reader.rejected) { reader.ids[$0] }.response()
    }
}

/// Reads the ids and revisions in the body of a request that deletes raw samples.
private struct DeletionReader {
    private(set) var tombstones: [ReceivedSample] = []
    /// The ids of `tombstones` as the client sent them.
    private(set) var ids: [String] = []
    private(set) var rejected: [InvalidRecord] = []

    /// Reads the body of a request.
    ///
    /// - Throws: `RequestError` if the body has no list of objects, or one with more than `limit` elements.
    static func read(_ body: [UInt8], atMost limit: Int) throws -> DeletionReader {
        var reader = DeletionReader()
        do {
            try JSONDocument.read(body) { root in
                guard root.isObject, let deletions = root["deletions"], deletions.isArray else {
                    throw RequestError(400, "the body must be an object with a list of deletions")
                }
                try deletions.forEachElement { element in
                    guard reader.ids.count + reader.rejected.count < limit else {
                        throw RequestError(413, "a request must have at most \(limit) deletions")
                    }
                    guard element.isObject else { throw RequestError(400, "each deletion must be an object") }
                    reader.add(element)
                }
            }
        } catch is InvalidJSON {
            throw RequestError(400, "the body is not valid JSON")
        }
        return reader
    }

    private mutating func add(_ element: ParsedJSON) {
        let text = element["id"]?.string ?? ""
        guard let id = SampleID(text) else {
            return rejected.append(InvalidRecord(id: text, reason: "id must be a UUID"))
        }
        var revision: Int64 = 0
        if let stated = element["revision"], !stated.isNull {
            guard let number = stated.integer, (0...ParsedJSON.largestExactInteger).contains(number) else {
                return rejected.append(
                    InvalidRecord(id: text, reason: "revision must be an integer from 0 to 2^53 - 1"))
            }
            revision = number
        }
        ids.append(text)
        tombstones.append(.tombstone(id, revision: revision))
    }
}

/// `DELETE /steps`: deletes all step samples of the user, including their tombstones.
struct DeleteSteps: Endpoint {
    let operation = Operation(
        "DELETE", "/steps", .scope(.delete),
        OpenAPIOperation(
            summary: "Delete all step samples", responses: [(200, "Message")], errors: OpenAPIOperation.readErrors))

    func response(to request: APIRequest) async throws -> HTTPResponse {
        let removed = try await request.services.store.removeAllSamples(of: "steps", user: request.user)
        var writer = JSONWriter()
        writer.beginObject()
        writer.name("message")
        writer.string(removed > 0 ? "All steps deleted successfully" : "No steps file to delete")
        writer.endObject()
        return .json(writer.bytes)
    }
}
