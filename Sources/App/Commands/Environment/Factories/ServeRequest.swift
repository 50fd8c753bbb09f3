package import HealthSyncDomain
package import HealthSyncPorts

/// How a receiving server uses a PostgreSQL database.
package struct DatabaseUse: Sendable, Hashable {
    /// The maximum number of connections for requests; `nil` for the default.
    package var connections: Int?
    /// The number of seconds after which PostgreSQL ends a statement; `nil` for no limit.
    package var statementTimeout: Int?
}

/// The parameters of a receiving server.
package struct ServeRequest: Sendable {
    /// Name or numeric address to listen on.
    package var host: String
    /// The port; 0 selects a free port.
    package var port: UInt16
    package var store: ReceivedStoreLocation
    /// How PostgreSQL is used; ignored for SQLite.
    package var database: DatabaseUse
    /// Absolute path of the folder for `steps.jsonl`; `nil` for none.
    package var linesFolder: String?
    /// Absolute path of the folder for the posts of phones, and the maximum size of the waiting posts of each user in
    /// bytes; `nil` for a server that receives none.
    package var inbox: (folder: String, quota: Int64)?
    /// Absolute paths of PEM files; `nil` for plain HTTP.
    package var tls: (certificate: String, key: String)?
    package var access: ServeAccess
    /// Absolute path of the access log; `nil` for none.
    package var accessLog: String?
    /// Maps instants to the days of its pages.
    package var clock: DayClock
    /// The metrics that the program knows.
    package var catalog: MetricCatalog
    /// Which source of a night its pages prefer.
    package var originPriority: OriginPriority
    /// The log of the server.
    package var log: any EventLog
    package var version: String
    /// Environment variables.
    package var variables: [String: String]
    /// Called once with the address, when the server accepts requests.
    package var ready: @Sendable (_ address: String) -> Void

    package init(
        host: String, port: UInt16, store: ReceivedStoreLocation, database: DatabaseUse, linesFolder: String?,
        inbox: (folder: String, quota: Int64)?, tls: (certificate: String, key: String)?, access: ServeAccess,
        accessLog: String?, clock: DayClock, catalog: MetricCatalog,
        originPriority: OriginPriority, log: any EventLog, version: String, variables: [String: String],
        ready: @escaping @Sendable (String) -> Void
    ) {
        self.host = host
        self.port = port
        self.store = store
        self.database = database
        self.linesFolder = linesFolder
        self.inbox = inbox
        self.tls = tls
        self.access = access
        self.accessLog = accessLog
        self.clock = clock
        self.catalog = catalog
        self.originPriority = originPriority
        self.log = log
        self.version = version
        self.variables = variables
        self.ready = ready
    }
}
