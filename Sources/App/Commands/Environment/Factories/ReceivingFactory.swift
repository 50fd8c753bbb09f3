package import HealthSyncDomain
package import HealthSyncPorts

/// Creates the objects that the commands of the receiving server use.
package struct ReceivingFactory: Sendable {
    /// Serves until the calling task is cancelled, then completes pending requests and returns.
    package var serve: @Sendable (ServeRequest) async throws -> Void
    /// Opens the tokens of a store.
    package var tokens: @Sendable (ReceivedStoreLocation) async throws -> any AccessTokenStore
    /// Hashes secrets before they are stored.
    package var hasher: any SecretHasher

    package init(
        serve: @escaping @Sendable (ServeRequest) async throws -> Void,
        tokens: @escaping @Sendable (ReceivedStoreLocation) async throws -> any AccessTokenStore,
        hasher: any SecretHasher
    ) {
        self.serve = serve
        self.tokens = tokens
        self.hasher = hasher
    }
}

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

/// Where a receiving server stores its data.
package enum ReceivedStoreLocation: Sendable, Hashable {
    /// An SQLite file at this absolute path.
    case sqlite(path: String)
    /// A PostgreSQL database as a libpq connection string, which may contain a password and must not be shown.
    case postgres(conninfo: String)

    static let option = OptionDeclaration.value(
        "store", "STORE", "Store received data in sqlite:PATH or postgres://USER@HOST/DATABASE",
        default: "sqlite:server/received.db in the data folder")

    /// Returns the location that `--store` names. Completes a restore of the store that was killed.
    static func of(_ context: CommandContext) async throws -> ReceivedStoreLocation {
        let location = try await stated(context)
        if case .sqlite(let path) = location, let folder = location.inboxFolder {
            try await context.environment.factory.backups?.finishRestore(
                of: .server(path: path, inboxFolder: folder))
        }
        return location
    }

    private static func stated(_ context: CommandContext) async throws -> ReceivedStoreLocation {
        guard let text = context.parsed.text("store") else {
            return .sqlite(path: try await context.settings().dataDirectory + "/server/received.db")
        }
        if let conninfo = conninfo(of: text) { return .postgres(conninfo: conninfo) }
        guard text.hasPrefix("sqlite:"), text.utf8.count > 7 else {
            // Do not repeat the text, because it may contain a password.
            throw SyncFailure.usage(
                "--store", "invalid store", advice: "write it as sqlite:PATH or postgres://USER@HOST/DATABASE")
        }
        let resolver = PathResolver(home: context.environment.variables["HOME"])
        return .sqlite(
            path: resolver.absolute(String(text.dropFirst(7)), from: context.environment.workingDirectory))
    }

    /// Returns the path of the file with the tokens of an SQLite store, next to the store.
    package static func tokensPath(beside path: String) -> String { path + "-tokens" }

    /// The folder of the posts of phones of an SQLite store, next to the store; `nil` for PostgreSQL, whose servers have
    /// no folder in common.
    var inboxFolder: String? { if case .sqlite(let path) = self { path + "-inbox" } else { nil } }

    /// Throws `.noInput` if an SQLite store does not exist. PostgreSQL reports a missing database itself.
    func requireStore(in context: CommandContext) throws(SyncFailure) {
        guard case .sqlite(let path) = self else { return }
        let files = context.environment.files
        guard try files.status(of: path) == nil, try files.status(of: Self.tokensPath(beside: path)) == nil else {
            return
        }
        throw SyncFailure(
            .noInput, subject: path, reason: "no store exists there",
            advice: "name another one with --store, or create its first token with `healthsync token create`")
    }

    /// Returns the connection string: a URI, or `keyword=value` pairs after `postgres:`.
    private static func conninfo(of text: String) -> String? {
        if text.hasPrefix("postgres://") || text.hasPrefix("postgresql://") { return text }
        return text.hasPrefix("postgres:") ? String(text.dropFirst("postgres:".utf8.count)) : nil
    }
}

/// Who may use a receiving server, and how much.
package struct ServeAccess: Sendable {
    /// The addresses and networks of the proxies that state the client's address; empty for those of this machine, `nil`
    /// without a proxy.
    package var proxies: [String]?
    /// Whether clients with private addresses may connect without TLS.
    package var admitsLocalNetwork: Bool
    /// The origins of pages that may use the API in a browser: `*`, or origins such as `https://example.org`.
    package var origins: [String]
    /// Maximum number of concurrent connections; `nil` for the default.
    package var connections: Int?
    /// Maximum number of concurrent connections from one address, including loopback; `nil` for 16, unlimited on loopback.
    package var connectionsPerAddress: Int?
    /// Maximum number of requests per minute from one address, including loopback; `nil` for 1,200, unlimited on loopback.
    package var requestsPerMinute: Int?

    static let declarations: [OptionDeclaration] = [
        .optionalValue(
            "behind-proxy", "ADDRESSES",
            "Trust X-Forwarded-For of the proxy with TLS at these addresses or networks", default: "127.0.0.0/8,::1"),
        .flag("lan", "Accept clients with private addresses over plain HTTP, with a token in a header or the path"),
        .value(
            "cors-origin", "ORIGINS", "Let pages of these origins use the API in a browser; * for all", default: "none"),
        .value("connections", "N", "Limit concurrent connections", default: "256"),
        .value(
            "connections-per-address", "N", "Limit concurrent connections from one address",
            default: "16; unlimited from this machine"),
        .value(
            "requests-per-minute", "N", "Limit requests per minute from one address",
            default: "1200; unlimited from this machine"),
    ]

    init(_ parsed: ParsedCommand) throws(SyncFailure) {
        proxies = parsed.has("behind-proxy") ? Self.list(parsed.text("behind-proxy")) : nil
        admitsLocalNetwork = parsed.has("lan")
        origins = Self.list(parsed.text("cors-origin"))
        if admitsLocalNetwork, proxies != nil || parsed.has("tls-cert") {
            throw .usage("--lan", "not needed with TLS or a proxy", advice: "omit it")
        }
        for origin in origins where origin != "*" && !Self.isOrigin(origin) {
            throw .usage(
                "--cors-origin", "invalid origin \"\(origin)\"",
                advice: "write it as https://example.org, without a path")
        }
        connections = try parsed.integer("connections", in: 1...100_000)
        connectionsPerAddress = try parsed.integer("connections-per-address", in: 1...100_000)
        requestsPerMinute = try parsed.integer("requests-per-minute", in: 1...1_000_000)
    }

    private static func list(_ text: String?) -> [String] {
        (text ?? "").split(separator: ",").map { String($0.drop(while: { $0 == " " })) }
    }

    private static func isOrigin(_ text: String) -> Bool {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        return parts.count == 3 && ["http:", "https:"].contains(parts[0]) && parts[1].isEmpty && !parts[2].isEmpty
            && text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }
    }
}
