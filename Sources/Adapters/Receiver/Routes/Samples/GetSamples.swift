import HealthSyncDomain
import HealthSyncPorts

/// `GET /steps` and `GET /api/v1/samples/{type}`: streams samples in the order in which they were stored.
struct GetSamples: Endpoint {
    let form: SampleReader.Form

    var operation: Operation {
        let isSteps = form == .steps
        return Operation(
            "GET", isSteps ? "/steps" : "/api/v1/samples/{type}", .scope(.read),
            OpenAPIOperation(
                summary: "Get \(isSteps ? "step samples" : "samples of a type") in the order in which they were stored",
                path: isSteps ? [] : [("type", OpenAPIOperation.Schema.sampleType)],
                query: [
                    .init(name: "from", schema: OpenAPIOperation.Schema.instant),
                    .init(name: "to", schema: OpenAPIOperation.Schema.instant), .limit(1_000_000),
                    .init(name: "cursor", schema: #"{"type":"integer","minimum":0,"maximum":9007199254740991}"#),
                ], responses: [(200, "Samples")], errors: OpenAPIOperation.readErrors))
    }

    func response(to request: APIRequest) async throws -> HTTPResponse {
        var query = SampleQuery(user: request.user, type: try request.sampleType())
        query.from = try request.instant("from")
        query.until = try request.instant("to", isEnd: true)
        query.after = try request.integer("cursor", in: 0...JSONValue.largestExactInteger) ?? 0
        let limit = try request.integer("limit", in: 1...1_000_000).map { Int($0) }
        let isLines = request.http.head.acceptsLines
        // Without limit and cursor the response contains all samples, so the number sent is the total.
        let isPart = limit != nil || query.after > 0
        let total = isPart && !isLines ? try await request.services.store.sampleCount(query) : nil
        let stream = SampleStream(
            query, of: request.services.store, log: request.services.log, number: request.http.head.number,
            form: isLines ? .lines : .object, end: limit,
            total: total)
        try await stream.prepare()
        return HTTPResponse(
            status: 200, headers: [.init("Content-Type", isLines ? "application/x-ndjson" : "application/json")],
            body: .stream(stream))
    }
}
