/// The routes of the API: the only place that maps a method and path to an endpoint.
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
