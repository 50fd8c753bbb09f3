import HealthSyncDomain
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
            ? ["no devices; pair one with `healthsync pair NAME`"]
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
