import HealthSyncDomain

/// `healthsync serve`
enum ServeCommand: Command {
    static let declaration = CommandDeclaration(
        "serve", "Receive records over HTTP and keep them",
        discussion: [
            "Without tokens the server listens on this machine alone and asks for none. For others to reach it, make "
                + "tokens with `healthsync token create` and give a certificate, or put it behind a proxy that has one.",
            "With PostgreSQL any number of servers may work on one database; give passwords in a file that PGPASSFILE "
                + "names, because a command line can be seen by others.",
            "The same address shows what was received in the browser, to whoever logs in with a token.",
            "An answer means that the records are on disk. SIGTERM finishes the requests in hand and ends the server.",
        ],
        options: [
            .value("listen", "HOST:PORT", "Listen there", default: "127.0.0.1:8000"),
            .value("port", "PORT", "Listen on this port; 0 for any free one", default: "that of --listen"),
            ReceivedStoreLocation.option,
            .value("jsonl", "FOLDER", "Append every new step sample to steps.jsonl in this folder too"),
            .value("tls-cert", "FILE", "Certificate chain (PEM), together with --tls-key"),
            .value("tls-key", "FILE", "Private key (PEM), together with --tls-cert"),
            .flag("behind-proxy", "A proxy with TLS stands before the server; its X-Forwarded-For is believed"),
            .value("access-log", "FILE", "Append a JSON line for every request to this file"),
            .value(
                "connections-per-address", "N", "Connections at once from one address",
                default: "16, and any number from this machine"),
            .value(
                "requests-per-minute", "N", "Requests a minute from one address",
                default: "1200, and any number from this machine"),
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
                "--jsonl", "several servers may work on one PostgreSQL, and not on one file",
                advice: "leave it out, or keep the records in sqlite:PATH")
        }
        let settings = try context.settings()
        let request = ServeRequest(
            host: address.host, port: address.port, store: store, linesFolder: linesFolder, tls: try tls(context),
            isBehindProxy: context.parsed.has("behind-proxy"), accessLog: path("access-log", in: context),
            connectionsPerAddress: try context.parsed.integer("connections-per-address", in: 1...100_000),
            requestsPerMinute: try context.parsed.integer("requests-per-minute", in: 1...1_000_000),
            clock: settings.clock, originPriority: settings.originPriority, version: context.environment.version,
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
        default: throw .usage("--tls-cert", "goes with --tls-key only", advice: "give both files")
        }
    }
}
