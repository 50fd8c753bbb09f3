import HealthSyncDomain

/// `DELETE /api/v1/inbox/posts?ids=…`: confirms that the user's machine has archived posts, and deletes them. Ids that do
/// not exist are ignored, so that the request can be repeated.
struct DeleteWaitingPosts: Endpoint {
    let inboxes: UserInboxes
    let operation = Operation(
        "DELETE", "/api/v1/inbox/posts", .scope(.inbox),
        OpenAPIOperation(
            summary: "Confirm that posts are archived elsewhere, which deletes them",
            query: [
                .init(
                    name: "ids",
                    schema: #"{"type":"array","minItems":1,"maxItems":100,"#
                        + #""items":{"type":"string","pattern":"^[0-9A-Za-z-]{1,64}$"}}"#,
                    isRequired: true, isList: true)
            ], responses: [(200, "ConfirmedPosts")], errors: OpenAPIOperation.readErrors))

    func response(to request: APIRequest) async throws -> HTTPResponse {
        let ids = (request.query["ids"] ?? "").parts(separatedBy: ",").filter { !$0.isEmpty }.map(String.init)
        guard (1...GetWaitingPosts.largestPage).contains(ids.count) else {
            throw RequestError(400, "ids must name 1 to \(GetWaitingPosts.largestPage) posts, separated by commas")
        }
        try await inboxes.confirm(ids, of: request.user)
        return .json(Array(#"{"success":true}"#.utf8))
    }
}
