import HealthSyncDomain
import HealthSyncPorts

/// `GET /steps` and `GET /api/v1/samples/{type}`: stored samples in the order of storing, streamed.
struct GetSamples: Endpoint {
    let form: SampleReader.Form

    var operation: Operation {
        switch form {
        case .steps: Operation("GET", "/steps", .scope(.read), description: OpenAPIText.getSteps)
        case .quantity:
            Operation("GET", "/api/v1/samples/{type}", .scope(.read), description: OpenAPIText.getSamples)
        }
    }

    func answer(_ request: APIRequest) async throws -> HTTPResponse {
        var query = SampleQuery(user: request.user, type: try SampleTypeName.of(request))
        query.from = try request.instant("from")
        query.until = try request.instant("to", isEnd: true)
        query.after = try request.integer("cursor", in: 0...JSONValue.largestExactInteger) ?? 0
        let limit = try request.integer("limit", in: 1...1_000_000).map { Int($0) }
        let isLines = request.http.head.value("accept")?.contains("application/x-ndjson") ?? false
        // Without limit and cursor the answer holds all there is, so what is sent is the total.
        let isPart = limit != nil || query.after > 0
        let total = isPart && !isLines ? try await request.services.store.sampleCount(query) : nil
        let stream = SampleStream(
            query, of: request.services.store, log: request.services.log, form: isLines ? .lines : .object, end: limit,
            total: total)
        try await stream.begin()
        return HTTPResponse(
            status: 200, headers: [.init("Content-Type", isLines ? "application/x-ndjson" : "application/json")],
            body: .stream(stream))
    }
}
