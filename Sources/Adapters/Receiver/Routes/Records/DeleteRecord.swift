import HealthSyncDomain

/// `DELETE /api/v1/{kind}/{id}`: stores a tombstone with a revision, so that a late repetition of the record does not
/// restore it.
struct DeleteRecord: Endpoint {
    /// The kinds of records, by their path.
    enum Kind: String, CaseIterable {
        case steps, sleep, progress, snapshots
        case samples = "samples/{type}"
    }

    let kind: Kind

    var operation: Operation {
        let (subject, path): (String, [(name: String, schema: String)]) =
            switch kind {
            case .steps: ("a step sample", [("id", OpenAPIOperation.Schema.uuid)])
            case .samples:
                ("a sample", [("type", OpenAPIOperation.Schema.sampleType), ("id", OpenAPIOperation.Schema.uuid)])
            case .sleep, .progress, .snapshots: ("a record", [("id", OpenAPIOperation.Schema.recordID)])
            }
        return Operation(
            "DELETE", "/api/v1/\(kind.rawValue)/{id}", .scope(.delete),
            OpenAPIOperation(
                summary: "Mark \(subject) as deleted", path: path, query: [.revision],
                responses: [(200, "IngestResponse")], errors: OpenAPIOperation.writeErrors))
    }

    func response(to request: APIRequest) async throws -> HTTPResponse {
        let id = request.parameters["id"] ?? ""
        let body = try request.body()
        let revision = try revision(request, body: body)
        let content: ReceivedWrite.Content
        switch kind {
        case .steps, .samples:
            guard let sampleID = SampleID(id) else { throw RequestError(400, "the id must be a UUID") }
            content = .samples(
                type: try request.sampleType(),
                ReceivedSampleBatch(samples: [.tombstone(sampleID, revision: revision)]))
        case .sleep, .progress, .snapshots:
            guard id.unicodeScalars.count <= 256 else {
                throw RequestError(400, "an id must have at most 256 characters")
            }
            content = .records(RecordKind(rawValue: kind.rawValue), [.tombstone(id, revision: revision)])
        }
        let outcomes = try await request.store(content, key: try request.batchKey(of: body))
        return OutcomeReport(outcomes: outcomes, rejected: []) { _ in id }.response()
    }

    private func revision(_ request: APIRequest, body: [UInt8]) throws -> Int64 {
        if let stated = try request.integer("revision", in: 0...ParsedJSON.largestExactInteger) { return stated }
        guard !body.isEmpty else { return 0 }
        do {
            return try JSONDocument.read(body) { root in
                guard let stated = root["revision"] else { return 0 }
                guard let number = stated.integer, (0...ParsedJSON.largestExactInteger).contains(number) else {
                    throw RequestError(400, "revision must be an integer from 0 to 2^53 - 1")
                }
                return number
            }
        } catch is InvalidJSON {
            throw RequestError(400, "the body is not valid JSON")
        }
    }
}
