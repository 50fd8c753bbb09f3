/// `GET /openapi.json`: the description of this API.
struct GetOpenAPI: Endpoint {
    let document: [UInt8]
    let operation = Operation("GET", "/openapi.json", .anyToken, description: OpenAPIText.getOpenAPI)

    func answer(_ request: APIRequest) async throws -> HTTPResponse { .json(document) }
}
