import HealthSyncDomain
import HealthSyncEngine
import HealthSyncPorts

/// `healthsync device list`
enum DeviceListCommand: Command {
    static let declaration = CommandDeclaration(
        "device list", "List the devices that may deliver to the inbox",
        discussion: [
            "Also lists the phones that ask to be paired, which `device confirm` lets. A phone that asked has the name that it gave "
                + "itself, and its address."
        ], options: InboxChoice.options,
        examples: ["device list", "device list --user anna"])

    static func run(in context: CommandContext) async throws -> ExitStatus {
        let devices = try await InboxChoice(context).devices
        let tokens = try await devices.tokens()
        let offer = try await devices.offer()
        let now = context.environment.time.now()
        let clock = try await context.settings().clock
        var lines =
            tokens.isEmpty
            ? context.style.wrapped("no devices; pair one with `healthsync pair NAME`")
            : table(tokens, at: now, clock).lines(fitting: context.style)
        if let offer, !offer.claims.isEmpty { lines += asking(offer, clock, context.style) }
        context.show(
            charts: lines,
            json: [
                "devices": tokens.map { token in
                    [
                        "device": token.user.text, "id": token.id, "statedName": token.name?.text,
                        "address": token.address, "state": state(token, at: now), "paired": token.createdAt,
                        "lastPost": token.lastUsedAt, "revoked": token.revokedAt,
                    ] as JSONValue
                },
                "asking": (offer?.claims ?? []).map { PairingClaimView(claim: $0) },
            ])
        return .done
    }

    private static func table(_ tokens: [AccessToken], at now: Instant, _ clock: DayClock) -> TextTable {
        var table = TextTable(heads: [
            ("device", .left), ("stated name", .left), ("address", .left), ("state", .left), ("paired", .left),
            ("last post", .left),
        ])
        for token in tokens {
            table.add(
                [
                    token.user.text, token.name?.text ?? "-", token.address ?? "-", state(token, at: now),
                    Figures.wallClock(token.createdAt, clock),
                    token.lastUsedAt.map { Figures.wallClock($0, clock) } ?? "-",
                ], colors: [3: token.isValid(at: now) ? .good : .quiet])
        }
        return table
    }

    /// The phones that ask to be paired.
    private static func asking(_ offer: PairingOffer, _ clock: DayClock, _ style: OutputStyle) -> [String] {
        var table = TextTable(heads: [
            ("code", .left), ("stated name", .left), ("address", .left), ("asked", .left), ("confirmed", .left),
        ])
        for claim in offer.claims {
            table.add([
                claim.code, claim.statedName?.text ?? "-", claim.address, Figures.wallClock(claim.askedAt, clock),
                claim.isConfirmed ? "yes" : "-",
            ])
        }
        return ["", "These phones ask to be paired as \(offer.device.text):", ""]
            + table.lines(fitting: style)
            + ["", "If the app on your phone shows one of the codes, run `healthsync device confirm CODE`."]
    }

    private static func state(_ token: AccessToken, at now: Instant) -> String {
        token.isValid(at: now) ? "paired" : token.state(at: now).rawValue
    }
}

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

/// A phone that asks to be paired.
private struct PairingClaimView: JSONEncodable {
    let claim: PairingOffer.Claim

    var json: JSONValue {
        [
            "code": claim.code, "statedName": claim.statedName?.text, "address": claim.address,
            "asked": claim.askedAt, "confirmed": claim.isConfirmed,
        ]
    }
}

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

/// The argument `NAME` of the commands of devices.
enum DeviceName {
    /// Returns the name of the device.
    static func of(_ context: CommandContext) throws(SyncFailure) -> UserName {
        guard context.parsed.arguments.count == 1, let text = context.parsed.arguments.first else {
            throw .usage("NAME", "exactly one name is required", advice: "name the device, such as anna-phone")
        }
        guard let name = UserName(text) else {
            throw .usage(
                text, "invalid device name",
                advice: "use 1 to 64 characters out of a-z, 0-9, dot, hyphen and underscore")
        }
        return name
    }
}

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
