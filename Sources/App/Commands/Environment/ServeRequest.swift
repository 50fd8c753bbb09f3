package import HealthSyncDomain

/// The parameters of a receiving server.
package struct ServeRequest: Sendable {
    /// Name or numeric address to listen on.
    package var host: String
    /// The port; 0 selects a free port.
    package var port: UInt16
    package var store: ReceivedStoreLocation
    /// Absolute path of the folder for `steps.jsonl`; `nil` for none.
    package var linesFolder: String?
    /// Absolute paths of PEM files; `nil` for plain HTTP.
    package var tls: (certificate: String, key: String)?
    package var isBehindProxy: Bool
    /// Absolute path of the access log; `nil` for none.
    package var accessLog: String?
    /// Maximum number of concurrent connections from one address, including loopback; `nil` for 16, unlimited on loopback.
    package var connectionsPerAddress: Int?
    /// Maximum number of requests per minute from one address, including loopback; `nil` for 1,200, unlimited on loopback.
    package var requestsPerMinute: Int?
    /// Maps instants to the days of its pages.
    package var clock: DayClock
    /// The metrics that the program knows.
    package var catalog: MetricCatalog
    /// Which source of a night its pages prefer.
    package var originPriority: OriginPriority
    package var version: String
    /// Environment variables.
    package var variables: [String: String]
    /// Called once with the address, when the server accepts requests.
    package var ready: @Sendable (_ address: String) -> Void

    package init(
        host: String, port: UInt16, store: ReceivedStoreLocation, linesFolder: String?,
        tls: (certificate: String, key: String)?, isBehindProxy: Bool, accessLog: String?,
        connectionsPerAddress: Int?, requestsPerMinute: Int?, clock: DayClock, catalog: MetricCatalog,
        originPriority: OriginPriority, version: String, variables: [String: String],
        ready: @escaping @Sendable (String) -> Void
    ) {
        self.host = host
        self.port = port
        self.store = store
        self.linesFolder = linesFolder
        self.tls = tls
        self.isBehindProxy = isBehindProxy
        self.accessLog = accessLog
        self.connectionsPerAddress = connectionsPerAddress
        self.requestsPerMinute = requestsPerMinute
        self.clock = clock
        self.catalog = catalog
        self.originPriority = originPriority
        self.version = version
        self.variables = variables
        self.ready = ready
    }
}
