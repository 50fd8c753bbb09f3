import HealthSyncDomain

/// An operation of the API.
protocol Endpoint: Sendable {
    /// Method, path, required access and description.
    var operation: Operation { get }
    /// Returns the response. A `RequestError` that it throws contains the response too.
    func response(to request: APIRequest) async throws -> HTTPResponse
}

/// The method, path, required access and OpenAPI description of an endpoint.
struct Operation: Sendable {
    let method: String
    /// Segments of the path; those in braces are parameters.
    let template: [String]
    let requirement: AccessRequirement
    let description: OpenAPIOperation

    init(_ method: String, _ path: String, _ requirement: AccessRequirement, _ description: OpenAPIOperation) {
        self.method = method
        template = path.parts(separatedBy: "/").dropFirst().map(String.init)
        self.requirement = requirement
        self.description = description
    }

    /// The path with its parameters in braces.
    var path: String { "/" + template.joined(separator: "/") }

    /// Returns the values of the path's parameters, or `nil` if `path` does not match.
    func parameters(of path: [String]) -> [String: String]? {
        guard path.count == template.count else { return nil }
        var values: [String: String] = [:]
        for (part, segment) in zip(template, path) {
            if part.hasBytePrefix("{") {
                guard !segment.isEmpty else { return nil }
                values[String(part.dropFirst().dropLast())] = segment
            } else if !part.hasSameBytes(as: segment) {
                return nil
            }
        }
        return values
    }
}

/// The OpenAPI description of an operation.
struct OpenAPIOperation: Sendable {
    /// A parameter of the query.
    struct Parameter: Sendable {
        let name: String
        /// A schema, as JSON.
        let schema: String
        var isRequired = false
        /// Whether the parameter is a comma-separated list.
        var isList = false

        /// The parameter object, as JSON.
        var json: String {
            let form = isList ? #""style":"form","explode":false,"# : ""
            return #"{"name":"\#(name)","in":"query","required":\#(isRequired),\#(form)"schema":\#(schema)}"#
        }

        static let from = Parameter(name: "from", schema: #"{"type":"string","format":"date"}"#)
        static let to = Parameter(name: "to", schema: #"{"type":"string","format":"date"}"#)
        static let offset = Parameter(name: "offset", schema: #"{"type":"integer","minimum":0,"maximum":1000000000}"#)
        static func limit(_ maximum: Int) -> Parameter {
            Parameter(name: "limit", schema: #"{"type":"integer","minimum":1,"maximum":\#(maximum)}"#)
        }
        static let revision = Parameter(
            name: "revision", schema: #"{"type":"integer","minimum":0,"maximum":9007199254740991}"#)
        static let recordKind = Parameter(
            name: "kind", schema: #"{"enum":["progress","sleep","snapshots"]}"#, isRequired: true)
    }

    /// Schemas of parameters, as JSON.
    enum Schema {
        /// A day or a time.
        static let instant = #"{"type":"string","anyOf":[{"format":"date"},{"format":"date-time"}]}"#
        /// Text without a zero byte, which a request target cannot contain.
        static let text = ##"{"type":"string","pattern":"^[^\\u0000]+$"}"##
        static let recordID = ##"{"type":"string","pattern":"^[^\\u0000]+$","maxLength":256}"##
        static let uuid = #"{"type":"string","format":"uuid"}"#
        static let sampleType = #"{"type":"string","pattern":"^[A-Za-z0-9._-]{1,128}$"}"#
    }

    /// The error statuses of operations that read.
    static let readErrors = [400, 401, 403, 503]
    /// The error statuses of operations that write.
    static let writeErrors = [400, 401, 403, 413, 415, 422, 503]

    let summary: String
    /// Names and JSON schemas of the parameters in the path.
    var path: [(name: String, schema: String)] = []
    var query: [Parameter] = []
    /// Name of the body's schema.
    var body: String?
    /// Names of schemas by status.
    var responses: [(status: Int, schema: String)] = []
    /// Statuses with a problem document, or `{"error": …}` for the endpoints that predate it.
    var errors: [Int] = []
    /// Media type of successful responses.
    var mediaType = "application/json"

    /// The members of the operation object, without `operationId` and `security`, as JSON.
    var members: String {
        var parts = [#""summary":"\#(summary)""#]
        let parameters =
            path.map { #"{"name":"\#($0.name)","in":"path","required":true,"schema":\#($0.schema)}"# }
            + query.map(\.json)
        if !parameters.isEmpty { parts.append(#""parameters":[\#(parameters.joined(separator: ","))]"#) }
        if let body {
            let content = ##"{"application/json":{"schema":{"$ref":"#/components/schemas/\##(body)"}}}"##
            parts.append(#""requestBody":{"required":true,"content":\#(content)}"#)
        }
        let successes = responses.map { status, schema in
            let content = ##"{"\##(mediaType)":{"schema":{"$ref":"#/components/schemas/\##(schema)"}}}"##
            return #""\#(status)":{"description":"Success","content":\#(content)}"#
        }
        // With an empty parameter the path is a different one, which may not exist.
        let statuses = (path.isEmpty ? errors : errors + [404]) + [429]
        let failures = statuses.filter { status in !responses.contains { $0.status == status } }.map { status in
            let schema = ##"{"schema":{"$ref":"#/components/schemas/Problem"}}"##
            let content = #"{"application/problem+json":\#(schema),"application/json":\#(schema)}"#
            return #""\#(status)":{"description":"Error","content":\#(content)}"#
        }
        parts.append(#""responses":{\#((successes + failures).joined(separator: ","))}"#)
        return parts.joined(separator: ",")
    }
}

/// The routes of the API: the only place that maps a method and path to one of the endpoints,
/// which `ReceiverAPI` lists.
struct RouteTable: Sendable {
    /// An endpoint with its operation, which is created once.
    struct Route: Sendable {
        let endpoint: any Endpoint
        let operation: Operation
        /// The name under which requests are counted.
        let name: String

        init(_ endpoint: any Endpoint) {
            self.endpoint = endpoint
            operation = endpoint.operation
            name = "\(operation.method) \(operation.path)"
        }
    }

    /// The result of a search.
    enum Match {
        case found(Route, parameters: [String: String])
        /// The path exists, but only with these methods.
        case wrongMethod(allowed: [String])
        case notFound
    }

    let routes: [Route]

    init(_ endpoints: [any Endpoint]) { routes = endpoints.map(Route.init) }

    func match(method: String, path: [String]) -> Match {
        var allowed: [String] = []
        for route in routes {
            guard let parameters = route.operation.parameters(of: path) else { continue }
            if route.operation.method == method { return .found(route, parameters: parameters) }
            allowed.append(route.operation.method)
        }
        return allowed.isEmpty ? .notFound : .wrongMethod(allowed: allowed.sorted())
    }
}
