package import HealthSyncDomain

/// What a receiving server is started with.
package struct ServeRequest: Sendable {
    /// Name or numeric address to listen on.
    package var host: String
    /// 0 for any free one.
    package var port: UInt16
    package var store: ReceivedStoreLocation
    /// Absolute path of the folder of `steps.jsonl`; `nil` for none.
    package var linesFolder: String?
    /// Absolute paths of PEM files; `nil` for plain HTTP.
    package var tls: (certificate: String, key: String)?
    package var isBehindProxy: Bool
    /// Absolute path of the access log; `nil` for none.
    package var accessLog: String?
    /// Connections at once from one address, loopback included; `nil` for 16 and no bound on loopback.
    package var connectionsPerAddress: Int?
    /// Requests a minute from one address, loopback included; `nil` for 1,200 and no bound on loopback.
    package var requestsPerMinute: Int?
    /// Which instants make the days of its pages.
    package var clock: DayClock
    /// Which recorder of a night its pages prefer.
    package var originPriority: OriginPriority
    package var version: String
    /// Environment variables.
    package var variables: [String: String]
    /// Called once, with the address, when requests are answered.
    package var ready: @Sendable (_ address: String) -> Void

    package init(
        host: String, port: UInt16, store: ReceivedStoreLocation, linesFolder: String?,
        tls: (certificate: String, key: String)?, isBehindProxy: Bool, accessLog: String?,
        connectionsPerAddress: Int?, requestsPerMinute: Int?, clock: DayClock, originPriority: OriginPriority,
        version: String, variables: [String: String],
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
        self.originPriority = originPriority
        self.version = version
        self.variables = variables
        self.ready = ready
    }
}
