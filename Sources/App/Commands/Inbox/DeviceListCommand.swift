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
        var table = TextTable(heads: [("device", .left), ("state", .left), ("paired", .left), ("last post", .left)])
        for token in tokens {
            table.add(
                token.user.text, state(token, at: now), RFC3339.string(token.createdAt),
                token.lastUsedAt.map { RFC3339.string($0) } ?? "-")
        }
        context.show(
            text: tokens.isEmpty ? ["no devices; pair one with `healthsync pair NAME`"] : table.lines(),
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
