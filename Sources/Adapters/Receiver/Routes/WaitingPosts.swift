import HealthSyncDomain
import HealthSyncPorts

/// `GET /api/v1/inbox/posts`: lists the posts of the user's phones that wait, oldest first. With `Prefer: wait=N`, waits
/// up to N seconds for one if none waits.
struct GetWaitingPosts: Endpoint {
    let inboxes: UserInboxes
    let operation = Operation(
        "GET", "/api/v1/inbox/posts", .scope(.inbox),
        OpenAPIOperation(
            summary: "List the posts of the user's phones that were not confirmed yet, oldest first",
            query: [.init(name: "after", schema: OpenAPIOperation.Schema.text), .limit(largestPage)],
            responses: [(200, "WaitingPosts")], errors: OpenAPIOperation.readErrors))

    static let largestPage = 100
    /// Shorter than the time after which proxies usually give up.
    private static let longestWaitSeconds: Int64 = 30

    func response(to request: APIRequest) async throws -> HTTPResponse {
        let limit = try request.integer("limit", in: 1...Int64(Self.largestPage)) ?? Int64(Self.largestPage)
        let after = request.query["after"]
        guard after != "" else { throw RequestError(400, "after must be the id of a post") }
        let milliseconds = Self.waitSeconds(request.http.head) * 1_000
        let wait =
            milliseconds > 0
            ? request.http.wait.map {
                UserInboxes.Wait(milliseconds: milliseconds, tokenID: request.http.caller.tokenID, response: $0)
            } : nil
        let posts = try await inboxes.posts(
            of: request.user, after: after, limit: Int(limit), waiting: wait, time: request.services.time)
        var writer = JSONWriter()
        writer.beginObject()
        writer.name("posts")
        writer.beginArray()
        for post in posts {
            writer.beginObject()
            writer.name("id")
            writer.string(post.id)
            writer.name("bytes")
            writer.integer(Int(post.bytes))
            writer.endObject()
        }
        writer.endArray()
        writer.endObject()
        return .json(writer.bytes)
    }

    /// Returns the seconds in `Prefer: wait=N` (RFC 7240); 0 without it.
    static func waitSeconds(_ head: RequestHead) -> Int64 {
        for value in head.values("prefer") {
            for member in value.listMembers {
                // Parameters follow the preference.
                let preference = member.parts(separatedBy: ";")[0].parts(separatedBy: "=", maxSplits: 1)
                    .map(\.withoutOuterBlanks)
                guard preference[0].equalsIgnoringASCIICase("wait") else { continue }
                // Of a preference that is repeated, only the first instance counts.
                guard preference.count == 2, let seconds = preference[1].unsignedDecimal else { return 0 }
                return min(seconds, longestWaitSeconds)
            }
        }
        return 0
    }
}

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
