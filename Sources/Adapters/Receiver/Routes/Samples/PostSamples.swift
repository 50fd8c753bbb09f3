import HealthSyncDomain

/// `POST /steps` and `POST /api/v1/samples/{type}`: raw samples, stored once each.
struct PostSamples: Endpoint {
    let form: SampleReader.Form

    var operation: Operation {
        switch form {
        case .steps: Operation("POST", "/steps", .scope(.ingest), description: OpenAPIText.postSteps)
        case .quantity:
            Operation("POST", "/api/v1/samples/{type}", .scope(.ingest), description: OpenAPIText.postSamples)
        }
    }

    func answer(_ request: APIRequest) async throws -> HTTPResponse {
        let type =
            switch form {
            case .steps: try SampleTypeName.of(request)
            case .quantity: try SampleTypeName.ofQuantity(request)
            }
        let body = try request.body()
        let reader = try SampleReader.read(body, form: form)
        let samples = reader.batch.samples
        let outcomes = try await request.store(
            .samples(type: type, reader.batch), key: try request.batchKey(of: body))
        let report = OutcomeReport(outcomes: outcomes, rejected: reader.rejected) { samples[$0].idText }
        var writer = JSONWriter()
        writer.beginObject()
        writer.name("saved")
        writer.integer(report.saved)
        writer.name("message")
        writer.string("Success")
        report.write(to: &writer)
        writer.endObject()
        return .json(writer.bytes)
    }
}
