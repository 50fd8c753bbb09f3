import HealthSyncDomain
import HealthSyncEngine
import HealthSyncPorts

/// `healthsync device revoke`
enum DeviceRevokeCommand: Command {
    static let declaration = CommandDeclaration(
        "device revoke", "Reject further posts of a device",
        discussion: ["Takes effect with the next post. What the device delivered stays."],
        arguments: [ArgumentDeclaration("NAME", "The name of the device, from `device list`")],
        options: InboxChoice.options,
        examples: ["device revoke anna-phone", "device revoke anna-phone --user anna"])

    static func run(in context: CommandContext) async throws -> ExitStatus {
        let name = try DeviceName.of(context)
        let revoked = try await InboxChoice(context).devices.revoke(name)
        guard !revoked.isEmpty else {
            throw SyncFailure(
                .noInput, subject: name.text, reason: "no such device, or already revoked",
                advice: "see `healthsync device list`")
        }
        context.show(
            text: ["revoked \(name.text)"],
            json: ["device": name.text, "revoked": revoked])
        return .done
    }
}
