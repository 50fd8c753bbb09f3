/// `GET /openapi.json`: the description of this API.
struct GetOpenAPI: Endpoint {
    /// The description where a token is asked for.
    var document: [UInt8] = []
    /// The same where nobody is asked.
    var openDocument: [UInt8] = []
    let operation = Operation("GET", "/openapi.json", .anyToken, description: OpenAPIText.getOpenAPI)

    func answer(_ request: APIRequest) async throws -> HTTPResponse {
        .json(request.http.caller.isOnOpenServer ? openDocument : document)
    }
}
