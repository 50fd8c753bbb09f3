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
            "The same address shows the received data in the browser after login with a token.",
            "A response means that the records are on disk. After SIGTERM the server completes pending requests and exits.",
        ],
        options: [
            .value("listen", "HOST:PORT", "Listen on this address", default: "127.0.0.1:8000"),
            .value("port", "PORT", "Listen on this port; 0 selects a free port", default: "that of --listen"),
            ReceivedStoreLocation.option,
            .value("jsonl", "FOLDER", "Also append every new step sample to steps.jsonl in this folder"),
            .value("tls-cert", "FILE", "Use this certificate chain (PEM); requires --tls-key"),
            .value("tls-key", "FILE", "Use this private key (PEM); requires --tls-cert"),
            .flag("behind-proxy", "Trust X-Forwarded-For, because a proxy with TLS is in front of the server"),
            .value("access-log", "FILE", "Append a JSON line for each request to this file"),
            .value(
                "connections-per-address", "N", "Limit concurrent connections from one address",
                default: "16; unlimited from this machine"),
            .value(
                "requests-per-minute", "N", "Limit requests per minute from one address",
                default: "1200; unlimited from this machine"),
        ],
        examples: [
            "serve", "serve --listen 0.0.0.0:8443 --tls-cert cert.pem --tls-key key.pem",
            "serve --store postgres://healthsync@db.example/healthsync",
        ])

    static func run(in context: CommandContext) async throws -> ExitStatus {
        let address = try ListenAddress(context.parsed)
        let store = try ReceivedStoreLocation.of(context)
        let linesFolder = path("jsonl", in: context)
        if case .postgres = store, linesFolder != nil {
            throw SyncFailure.usage(
                "--jsonl", "not available with PostgreSQL, whose servers cannot share one file",
                advice: "omit it, or use --store sqlite:PATH")
        }
        let settings = try context.settings()
        let request = ServeRequest(
            host: address.host, port: address.port, store: store, linesFolder: linesFolder, tls: try tls(context),
            isBehindProxy: context.parsed.has("behind-proxy"), accessLog: path("access-log", in: context),
            connectionsPerAddress: try context.parsed.integer("connections-per-address", in: 1...100_000),
            requestsPerMinute: try context.parsed.integer("requests-per-minute", in: 1...1_000_000),
            clock: settings.clock, catalog: MetricCatalog(settings, factory: context.environment.factory),
            originPriority: settings.originPriority, version: context.environment.version,
            variables: context.environment.variables
        ) { address in
            context.show(text: ["healthsync serving \(address)"], json: ["address": .string(address)])
        }
        try await context.environment.factory.receiving.serve(request)
        return .done
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
