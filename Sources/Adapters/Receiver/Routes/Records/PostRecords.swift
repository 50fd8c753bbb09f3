import HealthSyncDomain

/// `POST /api/v1/progress` and `POST /api/v1/snapshots`: stores derived records by id and revision.
struct PostRecords: Endpoint {
    /// The maximum number of records in a request.
    static let largestBatch = 2_000

    let kind: RecordKind

    var operation: Operation {
        let isProgress = kind == .progress
        return Operation(
            "POST", "/api/v1/\(kind.rawValue)", .scope(.ingest),
            OpenAPIOperation(
                summary: isProgress
                    ? "Store figures of metrics by hour and day" : "Store activity snapshots of days",
                body: isProgress ? "ProgressRequest" : "SnapshotsRequest", responses: [(200, "IngestResponse")],
                errors: OpenAPIOperation.writeErrors))
    }

    func response(to request: APIRequest) async throws -> HTTPResponse {
        let (list, key) = try await request.decoded {
            let body = try request.body()
            let list =
                kind == .progress
                ? try RecordList(body, name: "entries", atMost: Self.largestBatch, read: ProgressReader.read)
                : try RecordList(body, name: "snapshots", atMost: Self.largestBatch, read: SnapshotReader.read)
            return (list, try request.batchKey(of: body))
        }
        return try await list.store(kind, for: request, key: key).response()
    }
}
