import HealthSyncDomain
import HealthSyncEngine
import HealthSyncPorts

/// `healthsync device confirm`
enum DeviceConfirmCommand: Command {
    static let declaration = CommandDeclaration(
        "device confirm", "Let a phone pair that asks for it in its app",
        discussion: [
            "After `pair --app hozz`, the app can ask for a token instead of the user typing it. Such an app sends no secret, so "
                + "the phone gets nothing until its request is confirmed: the app shows a code of six digits, which "
                + "`device list` shows as well, with the name and address of each phone that asks. Confirm only the code that "
                + "your own phone shows. Then pair in the app again."
        ],
        arguments: [ArgumentDeclaration("CODE", "The code that the app shows")],
        examples: ["device confirm 482917"])

    static func run(in context: CommandContext) async throws -> ExitStatus {
        guard context.parsed.arguments.count == 1, let code = context.parsed.arguments.first else {
            throw SyncFailure.usage("CODE", "exactly one code is required", advice: "name the code that the app shows")
        }
        let environment = context.environment
        let devices = environment.factory.inbox.pairedDevices(try await context.settings(), environment)
        guard let offer = try await devices.offer(), let claim = try await devices.confirm(code) else {
            throw SyncFailure(
                .noInput, subject: UntrustedText.escaped(code), reason: "no phone asks to pair with this code",
                advice: "see `healthsync device list`, and pair in the app again")
        }
        context.show(
            text: ["\(claim.description) may pair as \(offer.device.text); pair in the app again"],
            json: ["device": offer.device.text, "claim": PairingClaimView(claim: claim)])
        return .done
    }
}
