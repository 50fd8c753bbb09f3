import HealthSyncDomain

/// `GET /api/v1/inbox/posts/{id}`: returns a post in its archived form: a line of JSON with its head, then its body as it
/// was received.
struct GetWaitingPost: Endpoint {
    let inboxes: UserInboxes
    let operation = Operation(
        "GET", "/api/v1/inbox/posts/{id}", .scope(.inbox),
        OpenAPIOperation(
            summary: "Get a post: a line of JSON with its head, then its body as received",
            path: [("id", OpenAPIOperation.Schema.text)], responses: [(200, "Text")],
            errors: OpenAPIOperation.readErrors, mediaType: "application/octet-stream"))

    func response(to request: APIRequest) async throws -> HTTPResponse {
        guard let contents = try await inboxes.archive(of: request.user).contents(of: request.parameters["id"] ?? "")
        else { throw RequestError(404, "no such post, or it was confirmed") }
        return HTTPResponse(
            status: 200, headers: [.init("Content-Type", "application/octet-stream")], body: .stream(contents))
    }
}
