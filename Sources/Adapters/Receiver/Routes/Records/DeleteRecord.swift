import HealthSyncDomain

/// `DELETE /api/v1/{kind}/{id}`: the mark that a record was deleted, with a revision, so that a late repeat of the
/// record does not bring it back.
struct DeleteRecord: Endpoint {
    /// `steps`, `sleep`, `progress`, `snapshots` or `samples/{type}`.
    let kind: String

    var operation: Operation {
        let description =
            switch kind {
            case "steps": OpenAPIText.deleteStep
            case "samples/{type}": OpenAPIText.deleteSample
            default: OpenAPIText.deleteRecord
            }
        return Operation("DELETE", "/api/v1/\(kind)/{id}", .scope(.delete), description: description)
    }

    func answer(_ request: APIRequest) async throws -> HTTPResponse {
        let id = request.parameters["id"] ?? ""
        let body = try request.body()
        let revision = try revision(request, body: body)
        let content: ReceivedWrite.Content
        if kind == "steps" || kind.hasPrefix("samples") {
            guard let sampleID = SampleID(id) else { throw Refusal(400, "the id is not a UUID") }
            content = .samples(
                type: try SampleTypeName.of(request),
                ReceivedSampleBatch(samples: [.tombstone(sampleID, revision: revision)]))
        } else {
            guard id.unicodeScalars.count <= 256 else { throw Refusal(400, "an id is at most 256 characters") }
            content = .records(RecordKind(rawValue: kind), [.tombstone(id, revision: revision)])
        }
        let outcomes = try await request.store(content, key: try request.batchKey(of: body))
        return OutcomeReport(outcomes: outcomes, rejected: []) { _ in id }.answer()
    }

    private func revision(_ request: APIRequest, body: [UInt8]) throws -> Int64 {
        if let stated = try request.integer("revision", in: 0...JSONValue.largestExactInteger) { return stated }
        guard !body.isEmpty else { return 0 }
        do {
            return try JSONText.read(body) { root in
                guard let stated = root["revision"] else { return 0 }
                guard let number = stated.integer, (0...JSONValue.largestExactInteger).contains(number) else {
                    throw Refusal(400, "revision must be a whole number, not negative and below 2^53")
                }
                return number
            }
        } catch is InvalidJSON {
            throw Refusal(400, "the body is not JSON")
        }
    }
}
