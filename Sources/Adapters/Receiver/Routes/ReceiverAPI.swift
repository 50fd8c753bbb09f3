import HealthSyncDomain
import HealthSyncPorts

/// The receiving API: routes requests to endpoints, authenticates them, and turns errors into responses.
package struct ReceiverAPI: RequestRouter {
    private let services: ReceiverServices
    private let authenticator: Authenticator
    private let table: RouteTable
    private let crossOrigin: CrossOriginRules
    private let acceptsTokensInPaths: Bool
    private let inbox: InboxAPI?

    /// - Parameters:
    ///   - services: what the endpoints use.
    ///   - authenticator: decides which requests are accepted.
    ///   - metrics: the counters that `GET /metrics` returns.
    ///   - crossOrigin: which pages of other sites may use the API.
    ///   - acceptsTokensInPaths: whether `/device/TOKEN/…` is the path `/…` with a token, for clients that cannot set
    ///     headers.
    ///   - inbox: receives the posts of phones below `/inbox`, which it puts into the inboxes of `services`; `nil` if
    ///     the server has no inboxes.
    package init(
        services: ReceiverServices, authenticator: Authenticator, metrics: ServerMetrics,
        crossOrigin: CrossOriginRules = CrossOriginRules(), acceptsTokensInPaths: Bool = false, inbox: InboxAPI? = nil
    ) {
        self.services = services
        self.authenticator = authenticator
        self.crossOrigin = crossOrigin
        self.acceptsTokensInPaths = acceptsTokensInPaths
        self.inbox = inbox
        var endpoints: [any Endpoint] = [
            GetHealth(path: "/health"), GetHealth(path: "/ready"), GetLive(), PostSamples(form: .steps),
            GetSamples(form: .steps), DeleteSteps(), PostSleep(), GetSleep(),
            GetCapabilities(), PostRecords(kind: .progress), GetRecords(kind: .progress),
            PostRecords(kind: .snapshots), GetRecords(kind: .snapshots), PostSamples(form: .quantity),
            GetSamples(form: .quantity), PostDeletions(form: .steps), PostDeletions(form: .quantity), GetSummary(),
            GetDigest(), GetRecordDigests(),
            GetRecordEntries(), GetMetrics(metrics: metrics),
        ]
        if let inboxes = services.inboxes {
            endpoints += [
                GetWaitingPosts(inboxes: inboxes), GetWaitingPost(inboxes: inboxes),
                DeleteWaitingPosts(inboxes: inboxes),
            ]
        }
        endpoints += DeleteRecord.Kind.allCases.map { DeleteRecord(kind: $0) }
        endpoints.append(GetOpenAPI(describing: endpoints, version: services.version))
        table = RouteTable(endpoints)
    }

    package func handler(for head: RequestHead) -> any RequestHandler {
        guard var target = head.target else {
            return rejection(of: head, .problem(400, "the target is not a valid path"))
        }
        if let inbox, target.path.first == "inbox" { return inbox.handler(for: head, at: target.droppingFirst()) }
        let pathToken = acceptsTokensInPaths ? target.removeToken() : nil
        switch table.match(method: head.routedMethod, path: target.path) {
        case .found(let route, let parameters):
            return APICall(
                route: route, head: head, target: target, pathToken: pathToken, parameters: parameters,
                services: services, authenticator: authenticator, crossOrigin: crossOrigin)
        case .wrongMethod(let allowed):
            let methods = (allowed.contains("GET") ? allowed + ["HEAD"] : allowed) + ["OPTIONS"]
            let headers = [RequestHead.Header("Allow", methods.sorted().joined(separator: ", "))]
            // As Flask answers, also without CORS.
            if head.method == "OPTIONS" {
                return rejection(of: head, HTTPResponse(status: 200, headers: headers, body: .bytes([])))
            }
            return rejection(of: head, .problem(405, "method not allowed", headers: headers))
        case .notFound: return rejection(of: head, .problem(404, "no such endpoint"))
        }
    }

    private func rejection(of head: RequestHead, _ response: HTTPResponse) -> RejectedRequest {
        RejectedRequest(response: response.withAPIHeaders(crossOrigin.headers(for: head)))
    }
}

/// A request to an endpoint.
private struct APICall: RequestHandler {
    let route: RouteTable.Route
    let head: RequestHead
    let target: RequestTarget
    let pathToken: String?
    let parameters: [String: String]
    let services: ReceiverServices
    let authenticator: Authenticator
    let crossOrigin: CrossOriginRules

    var operation: String { route.name }
    var bodyLimit: Int? { route.operation.requirement == .noToken ? ServerLimits.anonymousBody : nil }

    func quickAdmission() -> Admission? {
        switch authenticator.quickAdmission(of: head, pathToken: pathToken, for: route.operation.requirement) {
        case .reject(let response): .reject(response.withAPIHeaders(crossOrigin.headers(for: head)))
        case let admission: admission
        }
    }

    func admission() async -> Admission {
        do {
            switch try await authenticator.admission(of: head, pathToken: pathToken, for: route.operation.requirement) {
            case .reject(let response): return .reject(response.withAPIHeaders(crossOrigin.headers(for: head)))
            case let admission: return admission
            }
        } catch {
            return .reject(response(to: error))
        }
    }

    func response(to request: HTTPRequest) async -> HTTPResponse {
        do {
            let request = APIRequest(http: request, target: target, parameters: parameters, services: services)
            return try await route.endpoint.response(to: request).withAPIHeaders(crossOrigin.headers(for: head))
        } catch {
            return response(to: error)
        }
    }

    private func response(to error: any Error) -> HTTPResponse {
        switch error {
        case let error as RequestError: return error.response.withAPIHeaders(crossOrigin.headers(for: head))
        case let failure as SyncFailure where failure.code == .batchKeyReused:
            return HTTPResponse.problem(422, "the Idempotency-Key was used with different content").withAPIHeaders(
                crossOrigin.headers(for: head))
        case let failure as SyncFailure where failure.code == .storage || failure.code == .busy:
            // The reason may contain file names. It is for the operator of the server, not for clients.
            log(503, failure)
            return HTTPResponse.problem(
                503, "the store is not available", headers: [.init("Retry-After", "5")]
            ).withAPIHeaders(crossOrigin.headers(for: head))
        default:
            log(500, error)
            return HTTPResponse.problem(500, "internal error").withAPIHeaders(crossOrigin.headers(for: head))
        }
    }

    private func log(_ status: Int, _ error: any Error) {
        services.log.note(
            "\(operation): status \(status): \(FailureText.of(error)) (request \(head.number))", level: .error)
    }
}

extension HTTPResponse {
    /// Returns the response with the headers of every response of the API.
    fileprivate func withAPIHeaders(_ crossOrigin: [RequestHead.Header]) -> HTTPResponse {
        var response = self
        response.headers +=
            [.init("Cache-Control", "no-store"), .init("X-Content-Type-Options", "nosniff")] + crossOrigin
        return response
    }
}
