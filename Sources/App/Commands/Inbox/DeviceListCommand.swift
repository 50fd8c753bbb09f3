import HealthSyncDomain
import HealthSyncPorts

/// `healthsync device list`
enum DeviceListCommand: Command {
    static let declaration = CommandDeclaration("device list", "List the devices that may deliver to the inbox")

    static func run(in context: CommandContext) async throws -> ExitStatus {
        let tokens = try await context.environment.factory.inbox.devices(context.settings()).tokens()
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
                "devices": .array(
                    tokens.map { token in
                        [
                            "device": .string(token.user.text), "id": .string(token.id),
                            "state": .string(state(token, at: now)), "paired": .string(RFC3339.string(token.createdAt)),
                            "lastPost": .optional(token.lastUsedAt.map { RFC3339.string($0) }),
                            "revoked": .optional(token.revokedAt.map { RFC3339.string($0) }),
                        ]
                    })
            ])
        return .done
    }

    private static func state(_ token: AccessToken, at now: Instant) -> String {
        token.isValid(at: now) ? "paired" : token.state(at: now).rawValue
    }
}
