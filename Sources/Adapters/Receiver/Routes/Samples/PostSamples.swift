import HealthSyncDomain

/// `POST /steps` and `POST /api/v1/samples/{type}`: stores raw samples, each id once.
struct PostSamples: Endpoint {
    let form: SampleReader.Form

    var operation: Operation {
        let isSteps = form == .steps
        let otherType =
            #"{"type":"string","pattern":"^[A-Za-z0-9._-]{1,128}$","not":{"const":"steps"}}"#
        return Operation(
            "POST", isSteps ? "/steps" : "/api/v1/samples/{type}", .scope(.ingest),
            OpenAPIOperation(
                summary: isSteps ? "Store step samples" : "Store samples of a type other than steps",
                path: isSteps ? [] : [("type", otherType)], body: isSteps ? "StepsRequest" : "SamplesRequest",
                responses: [(200, "SamplesResponse")], errors: OpenAPIOperation.writeErrors))
    }

    func response(to request: APIRequest) async throws -> HTTPResponse {
        let type = try request.sampleType()
        if form == .quantity, type == "steps" { throw RequestError(400, "use POST /steps for steps") }
        let (reader, key) = try await request.decoded {
            let body = try request.body()
            return (
                try SampleReader.read(body, form: form, atMost: request.services.limits.samples),
                try request.batchKey(of: body)
            )
        }
        let samples = reader.batch.samples
        let outcomes = try await request.store(.samples(type: type, reader.batch), key: key)
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
