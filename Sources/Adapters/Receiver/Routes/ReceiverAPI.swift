import HealthSyncDomain
import HealthSyncPorts

/// The receiving API: routes requests to endpoints, authenticates them, and turns errors into responses.
package struct ReceiverAPI: RequestRouter {
    private let services: ReceiverServices
    private let authenticator: Authenticator
    private let table: RouteTable

    /// - Parameters:
    ///   - services: what the endpoints use.
    ///   - authenticator: decides which requests are accepted.
    ///   - metrics: the counters that `GET /metrics` returns.
    package init(services: ReceiverServices, authenticator: Authenticator, metrics: ServerMetrics) {
        self.services = services
        self.authenticator = authenticator
        var endpoints: [any Endpoint] = [
            GetHealth(), PostSamples(form: .steps), GetSamples(form: .steps), DeleteSteps(), PostSleep(), GetSleep(),
            GetCapabilities(), PostRecords(kind: .progress), GetRecords(kind: .progress),
            PostRecords(kind: .snapshots), GetRecords(kind: .snapshots), PostSamples(form: .quantity),
            GetSamples(form: .quantity), GetSummary(), GetDigest(), GetRecordDigests(),
            GetRecordEntries(), GetMetrics(metrics: metrics),
        ]
        endpoints += DeleteRecord.Kind.allCases.map { DeleteRecord(kind: $0) }
        endpoints.append(GetOpenAPI(describing: endpoints, version: services.version))
        table = RouteTable(endpoints)
    }

    package func handler(for head: RequestHead) -> any RequestHandler {
        guard let target = head.target else { return Self.rejection(.problem(400, "the target is not a valid path")) }
        switch table.match(method: head.routedMethod, path: target.path) {
        case .found(let route, let parameters):
            return APICall(
                route: route, head: head, target: target, parameters: parameters, services: services,
                authenticator: authenticator)
        case .wrongMethod(let allowed):
            let headers = [RequestHead.Header("Allow", allowed.joined(separator: ", "))]
            return Self.rejection(.problem(405, "method not allowed", headers: headers))
        case .notFound: return Self.rejection(.problem(404, "no such endpoint"))
        }
    }

    private static func rejection(_ response: HTTPResponse) -> RejectedRequest {
        RejectedRequest(response: response.withAPIHeaders())
    }
}

/// A request to an endpoint.
private struct APICall: RequestHandler {
    let route: RouteTable.Route
    let head: RequestHead
    let target: RequestTarget
    let parameters: [String: String]
    let services: ReceiverServices
    let authenticator: Authenticator

    var operation: String { route.name }

    func quickAdmission() -> Admission? {
        switch authenticator.quickAdmission(of: head, for: route.operation.requirement) {
        case .reject(let response): .reject(response.withAPIHeaders())
        case let admission: admission
        }
    }

    func admission() async -> Admission {
        do {
            switch try await authenticator.admission(of: head, for: route.operation.requirement) {
            case .reject(let response): return .reject(response.withAPIHeaders())
            case let admission: return admission
            }
        } catch {
            return .reject(response(to: error))
        }
    }

    func response(to request: HTTPRequest) async -> HTTPResponse {
        do {
            let request = APIRequest(http: request, target: target, parameters: parameters, services: services)
            return try await route.endpoint.response(to: request).withAPIHeaders()
        } catch {
            return response(to: error)
        }
    }

    private func response(to error: any Error) -> HTTPResponse {
        switch error {
        case let error as RequestError: return error.response.withAPIHeaders()
        case let failure as SyncFailure where failure.code == .batchKeyReused:
            return HTTPResponse.problem(422, "the Idempotency-Key was used with different content").withAPIHeaders()
        case let failure as SyncFailure where failure.code == .storage || failure.code == .busy:
            // The reason may contain file names. It is for the operator of the server, not for clients.
            log(503, failure)
            return HTTPResponse.problem(
                503, "the store is not available", headers: [.init("Retry-After", "5")]
            ).withAPIHeaders()
        default:
            log(500, error)
            return HTTPResponse.problem(500, "internal error").withAPIHeaders()
        }
    }

    private func log(_ status: Int, _ error: any Error) {
        services.log.note(
            "\(operation): status \(status): \(FailureText.of(error)) (request \(head.number))", isDetail: false)
    }
}

extension HTTPResponse {
    /// Returns the response with the headers of every response of the API.
    fileprivate func withAPIHeaders() -> HTTPResponse {
        var response = self
        response.headers += [.init("Cache-Control", "no-store"), .init("X-Content-Type-Options", "nosniff")]
        return response
    }
}
