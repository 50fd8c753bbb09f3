import HealthSyncDomain

/// `healthsync serve`
enum ServeCommand: Command {
    static let declaration = CommandDeclaration(
        "serve", "Receive records over HTTP and store them",
        discussion: [
            "Without tokens the server accepts only connections from this machine, without authentication. To accept others, "
                + "create tokens with `healthsync token create` and set a certificate, or use a proxy with TLS.",
            "With PostgreSQL several servers can share one database. Put its password into the file that PGPASSFILE names, "
                + "because other users can see command lines.",
            "Below /inbox the server receives the posts of phones, which are paired with `healthsync pair NAME --user USER`. "
                + "They wait until the user's machine has fetched them with `healthsync pull`.",
            "The same address shows the received data in the browser after login with a token.",
            "A socket that systemd passes (LISTEN_FDS) is used instead of --listen.",
            "A response means that the records are on disk. After SIGTERM the server completes pending requests and exits. "
                + "After SIGHUP it reads certificate, key and tokens again.",
        ],
        options: [
            .value("listen", "HOST:PORT", "Listen on this address", default: "127.0.0.1:8000"),
            .value("port", "PORT", "Listen on this port; 0 selects a free port", default: "that of --listen"),
            ReceivedStoreLocation.option,
            .value("database-connections", "N", "Limit connections to PostgreSQL for requests", default: "8"),
            .value("statement-timeout", "SECONDS", "Make PostgreSQL end slower statements", default: "no limit"),
            .value("jsonl", "FOLDER", "Also append every new step sample to steps.jsonl in this folder"),
            .value(
                "inbox", "FOLDER", "Keep the posts of phones in this folder",
                default: "next to an SQLite store; with PostgreSQL none are received"),
            .value(
                "inbox-quota", "BYTES", "Keep at most this many bytes of waiting posts for each user",
                default: "1073741824"),
            .value("tls-cert", "FILE", "Use this certificate chain (PEM); requires --tls-key"),
            .value("tls-key", "FILE", "Use this private key (PEM); requires --tls-cert"),
            .value("access-log", "FILE", "Append a JSON line for each request to this file"),
        ] + ServeAccess.declarations,
        examples: [
            "serve", "serve --listen 0.0.0.0:8443 --tls-cert cert.pem --tls-key key.pem",
            "serve --store postgres://healthsync@db.example/healthsync",
        ])

    static func run(in context: CommandContext) async throws -> ExitStatus {
        let address = try ListenAddress(context.parsed)
        let store = try await ReceivedStoreLocation.of(context)
        let linesFolder = path("jsonl", in: context)
        if case .postgres = store, linesFolder != nil {
            throw SyncFailure.usage(
                "--jsonl", "not available with PostgreSQL, whose servers cannot share one file",
                advice: "omit it, or use --store sqlite:PATH")
        }
        let settings = try await context.settings()
        let request = ServeRequest(
            host: address.host, port: address.port, store: store, database: try database(context, store: store),
            linesFolder: linesFolder, inbox: try inbox(context, store), tls: try tls(context),
            access: try ServeAccess(context.parsed), accessLog: path("access-log", in: context),
            clock: settings.clock, catalog: MetricCatalog(settings, factory: context.environment.factory),
            originPriority: settings.originPriority,
            log: context.environment.log(settings.logLevel), version: context.environment.version,
            variables: context.environment.variables
        ) { address in
            context.show(text: ["healthsync serving \(address)"], json: ["address": address])
        }
        try await context.environment.factory.receiving.serve(request)
        return .done
    }

    private static func database(
        _ context: CommandContext, store: ReceivedStoreLocation
    ) throws(SyncFailure) -> DatabaseUse {
        if case .sqlite = store {
            for option in ["database-connections", "statement-timeout"] where context.parsed.text(option) != nil {
                throw .usage(
                    "--\(option)", "applies to PostgreSQL only", advice: "omit it, or use --store postgres://…")
            }
        }
        return DatabaseUse(
            connections: try context.parsed.integer("database-connections", in: 2...1_000),
            statementTimeout: try context.parsed.integer("statement-timeout", in: 1...86_400))
    }

    private static func inbox(
        _ context: CommandContext, _ store: ReceivedStoreLocation
    ) throws(SyncFailure) -> (folder: String, quota: Int64)? {
        let quota = try context.parsed.integer("inbox-quota", in: 1...Int.max).map(Int64.init) ?? 1 << 30
        return (path("inbox", in: context) ?? store.inboxFolder).map { ($0, quota) }
    }

    private static func path(_ option: String, in context: CommandContext) -> String? {
        context.parsed.text(option).map {
            PathResolver(home: context.environment.variables["HOME"])
                .absolute($0, from: context.environment.workingDirectory)
        }
    }

    private static func tls(_ context: CommandContext) throws(SyncFailure) -> (certificate: String, key: String)? {
        switch (path("tls-cert", in: context), path("tls-key", in: context)) {
        case (nil, nil): return nil
        case (let certificate?, let key?): return (certificate, key)
        default: throw .usage("--tls-cert", "requires --tls-key, and vice versa", advice: "give both files")
        }
    }
}
