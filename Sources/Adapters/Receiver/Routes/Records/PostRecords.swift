import HealthSyncDomain

/// `POST /api/v1/progress` and `POST /api/v1/snapshots`: derived records, by id and revision.
struct PostRecords: Endpoint {
    let kind: RecordKind

    var operation: Operation {
        Operation(
            "POST", "/api/v1/\(kind.rawValue)", .scope(.ingest),
            description: kind == .progress ? OpenAPIText.postProgress : OpenAPIText.postSnapshots)
    }

    func answer(_ request: APIRequest) async throws -> HTTPResponse {
        let body = try request.body()
        let list =
            kind == .progress
            ? try RecordList(body, name: "entries", atMost: Capabilities.progressBatch, read: ProgressReader.read)
            : try RecordList(body, name: "snapshots", atMost: Capabilities.progressBatch, read: SnapshotReader.read)
        return try await list.store(kind, by: request, body: body).answer()
    }
}
