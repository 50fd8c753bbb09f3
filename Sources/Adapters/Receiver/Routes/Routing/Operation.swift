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
