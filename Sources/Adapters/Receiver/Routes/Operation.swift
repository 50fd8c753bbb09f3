package import HealthSyncDomain

/// What an endpoint is for: method, path, who may, and its description in the words of OpenAPI.
package struct Operation: Sendable {
    /// Who may use it.
    package enum Requirement: Sendable, Hashable {
        /// Everybody.
        case nothing
        /// Who has a good token.
        case anyToken
        /// Who has a good token that allows this.
        case scope(AccessScope)
    }

    package var method: String
    /// Segments of the path; those in braces are parameters.
    package var template: [String]
    package var requirement: Requirement
    /// The OpenAPI operation object without `operationId` and `security`, as JSON.
    package var description: String

    init(_ method: String, _ path: String, _ requirement: Requirement, description: String) {
        self.method = method
        template = path.split(separator: "/").map(String.init)
        self.requirement = requirement
        self.description = description
    }

    /// The path with its parameters in braces.
    package var path: String { "/" + template.joined(separator: "/") }

    /// The values of the path's parameters; `nil` where the path is another one.
    func parameters(of segments: [String]) -> [String: String]? {
        guard segments.count == template.count else { return nil }
        var values: [String: String] = [:]
        for (part, segment) in zip(template, segments) {
            if part.hasPrefix("{") {
                guard !segment.isEmpty else { return nil }
                values[String(part.dropFirst().dropLast())] = segment
            } else if part != segment {
                return nil
            }
        }
        return values
    }
}
