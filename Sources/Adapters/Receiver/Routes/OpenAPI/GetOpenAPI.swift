/// `GET /openapi.json`: returns the description of the API.
struct GetOpenAPI: Endpoint {
    /// The document for a server that requires tokens.
    private let document: [UInt8]
    /// The document for a server that requires none.
    private let openDocument: [UInt8]

    let operation = Operation(
        "GET", "/openapi.json", .anyToken,
        OpenAPIOperation(summary: "Get this description", responses: [(200, "Any")], errors: [400, 401, 503]))

    /// Describes `endpoints` and this endpoint itself.
    init(describing endpoints: [any Endpoint], version: String) {
        let operations = endpoints.map(\.operation) + [operation]
        document = OpenAPIDocument.bytes(of: operations, version: version, hasOpenAccess: false)
        openDocument = OpenAPIDocument.bytes(of: operations, version: version, hasOpenAccess: true)
    }

    func response(to request: APIRequest) async throws -> HTTPResponse {
        .json(request.http.caller.hasOpenAccess ? openDocument : document)
    }
}
