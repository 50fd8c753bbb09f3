import HealthSyncDomain
import HealthSyncPorts

/// `healthsync device list`
enum DeviceListCommand: Command {
    static let declaration = CommandDeclaration(
        "device list", "List the devices that may deliver to the inbox", options: InboxChoice.options,
        examples: ["device list", "device list --user anna"])

    static func run(in context: CommandContext) async throws -> ExitStatus {
        let tokens = try await InboxChoice(context).devices.tokens()
        let now = context.environment.time.now()
        let clock = try await context.settings().clock
        var table = TextTable(heads: [("device", .left), ("state", .left), ("paired", .left), ("last post", .left)])
        for token in tokens {
            table.add(
                [
                    token.user.text, state(token, at: now), Figures.wallClock(token.createdAt, clock),
                    token.lastUsedAt.map { Figures.wallClock($0, clock) } ?? "-",
                ], colors: [1: token.isValid(at: now) ? .good : .quiet])
        }
        context.show(
            charts: tokens.isEmpty
                ? ["no devices; pair one with `healthsync pair NAME`"] : table.lines(fitting: context.style),
            json: [
                "devices": tokens.map { token in
                    [
                        "device": token.user.text, "id": token.id,
                        "state": state(token, at: now), "paired": token.createdAt,
                        "lastPost": token.lastUsedAt,
                        "revoked": token.revokedAt,
                    ] as JSONValue
                }
            ])
        return .done
    }

    private static func state(_ token: AccessToken, at now: Instant) -> String {
        token.isValid(at: now) ? "paired" : token.state(at: now).rawValue
    }
}
