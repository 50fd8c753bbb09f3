import HealthSyncDomain
import HealthSyncEngine
import HealthSyncPorts

/// `healthsync outbox forget`
enum OutboxForgetCommand: Command {
    static let declaration = CommandDeclaration(
        "outbox forget", "Delete what waits for a server that is no longer used",
        discussion: [
            "Deletes all items for the server, and what is known about it. Nothing on the server changes, and nothing of your "
                + "data. If it is configured again, everything is sent to it.",
            "Asks for confirmation on a terminal. Otherwise --yes is required.",
        ],
        arguments: [ArgumentDeclaration("URL", "The address of the server, from `status`")],
        options: [.flag("yes", letter: "y", "Do not ask for confirmation")],
        examples: ["outbox forget https://old.example.org", "outbox forget http://127.0.0.1:8001 --yes"])

    static func run(in context: CommandContext) async throws -> ExitStatus {
        let address = context.parsed.arguments[0]
        let settings = try await context.settings()
        let (servers, waiting) = try await context.withEngine(.reading, settings: settings) { engine in
            (try await engine.outbox.servers(), try await engine.outbox.waiting(destination: address))
        }
        guard servers.known.contains(address) else {
            throw SyncFailure.usage(
                "URL", "\"\(address)\" is not the address of a known server",
                advice: servers.known.isEmpty
                    ? "nothing was ever queued for a server" : "use one of \(servers.known.joined(separator: ", "))")
        }
        guard servers.configured != address else {
            throw SyncFailure.usage(
                "URL", "\(address) is the configured server", advice: "remove it from the configuration first")
        }
        try await context.confirm(
            "Delete \(Figures.count(waiting, "item")) that \(waiting == 1 ? "waits" : "wait") for \(address)")
        let count = try await context.withEngine(.writing, settings: settings) { engine in
            try await engine.outbox.forget(destination: address)
        }
        context.show(
            text: ["\(address) forgotten, \(Figures.count(count, "item")) deleted"],
            json: ["server": address, "dropped": count])
        return .done
    }
}
