import HealthSyncDomain
import HealthSyncPorts

/// `healthsync device revoke`
enum DeviceRevokeCommand: Command {
    static let declaration = CommandDeclaration(
        "device revoke", "Reject further posts of a device",
        discussion: ["Takes effect with the next post. What the device delivered stays."],
        arguments: [ArgumentDeclaration("NAME", "The name of the device, from `device list`")],
        examples: ["device revoke anna-phone"])

    static func run(in context: CommandContext) async throws -> ExitStatus {
        let settings = try context.settings()
        let inbox = context.environment.factory.inbox
        let name = try DeviceName.of(context)
        let now = context.environment.time.now()
        var revoked: [String] = []
        for token in try await inbox.tokens(of: name.text, settings, at: now) {
            if try await inbox.devices(settings).revoke(id: token.id, at: now) { revoked.append(token.id) }
        }
        guard !revoked.isEmpty else {
            throw SyncFailure(
                .noInput, subject: name.text, reason: "no such device, or already revoked",
                advice: "see `healthsync device list`")
        }
        context.show(
            text: ["revoked \(name.text)"],
            json: ["device": .string(name.text), "revoked": .array(revoked.map { .string($0) })])
        return .done
    }
}
