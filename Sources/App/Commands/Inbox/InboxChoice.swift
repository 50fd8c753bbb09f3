import HealthSyncDomain
import HealthSyncEngine
import HealthSyncPorts

/// Whose devices a command is about: those of the inbox of this machine or, with `--user` or `--store`, those of a user
/// of a receiving server.
struct InboxChoice {
    let devices: any DeviceActions
    let isOnServer: Bool

    static let options: [OptionDeclaration] = [
        .value(
            "user", "NAME", "Use the inbox of this user of a receiving server",
            default: "the inbox of this machine; with --store, local"),
        ReceivedStoreLocation.option,
    ]

    init(_ context: CommandContext) async throws {
        let (parsed, environment) = (context.parsed, context.environment)
        isOnServer = parsed.has("user") || parsed.has("store")
        guard isOnServer else {
            devices = environment.factory.inbox.pairedDevices(try await context.settings(), environment)
            return
        }
        guard let user = UserName(parsed.text("user") ?? UserName.local.text) else {
            throw SyncFailure.usage(
                "--user", "invalid user name",
                advice: "use 1 to 64 characters out of a-z, 0-9, dot, hyphen and underscore")
        }
        devices = PairedDevices(
            store: try await environment.factory.receiving.tokens(try ReceivedStoreLocation.of(context)), user: user,
            offers: nil, hasher: environment.factory.receiving.hasher, random: environment.random,
            time: environment.time)
    }
}
