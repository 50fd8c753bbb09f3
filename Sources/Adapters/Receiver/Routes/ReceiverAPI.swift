import HealthSyncDomain
import HealthSyncPorts

/// The receiving API: finds the endpoint of a request, asks who is calling, and turns failures into answers.
package struct ReceiverAPI: HTTPResponder {
    private let services: ReceiverServices
    private let authenticator: Authenticator
    private let routes: [Route]

    /// An endpoint with its operation, made once.
    private struct Route {
        var endpoint: any Endpoint
        var operation: Operation
        /// Under which requests are counted.
        var name: String

        init(_ endpoint: any Endpoint) {
            self.endpoint = endpoint
            operation = endpoint.operation
            name = "\(operation.method) \(operation.path)"
        }
    }

    /// The API over `services`, for those whom `authenticator` lets in.
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
        endpoints += ["steps", "sleep", "progress", "snapshots", "samples/{type}"].map { DeleteRecord(kind: $0) }
        let operations = endpoints.map(\.operation) + [GetOpenAPI().operation]
        endpoints.append(
            GetOpenAPI(
                document: OpenAPIDocument.bytes(of: operations, version: services.version, isOpen: false),
                openDocument: OpenAPIDocument.bytes(of: operations, version: services.version, isOpen: true)))
        routes = endpoints.map(Route.init)
    }

    private struct Match {
        var route: Route
        var target: RequestTarget
        var parameters: [String: String]
    }

    private func match(_ head: RequestHead) throws -> Match {
        guard let target = RequestTarget(head.target) else { throw Refusal(400, "the target is not a path") }
        let method = head.method == "HEAD" ? "GET" : head.method
        var allowed: [String] = []
        for route in routes {
            guard let parameters = route.operation.parameters(of: target.segments) else { continue }
            if route.operation.method == method {
                return Match(route: route, target: target, parameters: parameters)
            }
            allowed.append(route.operation.method)
        }
        guard !allowed.isEmpty else { throw Refusal(404, "no such endpoint") }
        throw Refusal(
            .problem(
                405, "not with this method", headers: [.init("Allow", allowed.sorted().joined(separator: ", "))]))
    }

    package func quickAdmission(of head: RequestHead) -> Admission? {
        do {
            return authenticator.quickAdmission(of: head, for: try match(head).route.operation.requirement)
        } catch {
            return .refuse(answer(to: error, for: head))
        }
    }

    package func admission(of head: RequestHead) async -> Admission {
        do {
            let requirement = try match(head).route.operation.requirement
            return try await authenticator.admission(of: head, for: requirement)
        } catch {
            return .refuse(answer(to: error, for: head))
        }
    }

    package func operationName(of head: RequestHead) -> String {
        (try? match(head))?.route.name ?? "other"
    }

    package func answer(to request: HTTPRequest) async -> HTTPResponse {
        do {
            let match = try match(request.head)
            let call = APIRequest(
                http: request, target: match.target, parameters: match.parameters, services: services)
            return try await match.route.endpoint.answer(call).hardened()
        } catch {
            return answer(to: error, for: request.head)
        }
    }

    private func answer(to error: any Error, for head: RequestHead) -> HTTPResponse {
        switch error {
        case let refusal as Refusal: return refusal.response.hardened()
        case let failure as SyncFailure where failure.code == .batchKeyReused:
            return HTTPResponse.problem(422, "this Idempotency-Key came before with other content").hardened()
        case let failure as SyncFailure where failure.code == .storage || failure.code == .busy:
            // The reason may name files: it goes to whoever runs the server, not to a client.
            services.log.note("\(operationName(of: head)) answered 503: \(FailureText.of(failure))", isDetail: false)
            return HTTPResponse.problem(
                503, "the store cannot answer now", headers: [.init("Retry-After", "5")]
            ).hardened()
        default:
            services.log.note("\(operationName(of: head)) answered 500: \(FailureText.of(error))", isDetail: false)
            return HTTPResponse.problem(500, "the server failed").hardened()
        }
    }
}

extension HTTPResponse {
    /// The same with the headers that every answer has.
    fileprivate func hardened() -> HTTPResponse {
        var response = self
        response.headers += [
            .init("Cache-Control", "no-store"), .init("X-Content-Type-Options", "nosniff"),
        ]
        return response
    }
}
