import HealthSyncDomain
import HealthSyncPorts

/// The state of the inbox for `status` and `doctor`.
struct InboxState: Sendable, JSONEncodable {
    /// The number of posts in each state.
    var counts: [InboxEntry.State: Int]
    /// A sentence for each gap in numbered deliveries.
    var gaps: [String]

    static func folder(of settings: Settings) -> String { settings.dataDirectory + "/inbox" }

    /// Returns the state, or `nil` if no post was ever received.
    static func read(_ settings: Settings, in environment: CommandEnvironment) async throws -> InboxState? {
        guard let factory = environment.factory.watching,
            try await environment.status(of: folder(of: settings)) != nil
        else { return nil }
        return InboxState(
            counts: try await environment.factory.inbox.archive(settings).counts(),
            gaps: try await factory.ledger(settings).sequences().flatMap { sequence in
                sequence.missing.map { sequence.sentence(of: $0) }
            })
    }

    /// The posts by state, such as `12 decoded, 1 waiting`.
    var text: String {
        InboxEntry.State.allCases.map { "\(Figures.grouped(counts[$0] ?? 0)) \($0.rawValue)" }.joined(separator: ", ")
    }

    /// What the user should look at: posts that could not be decoded, and missing deliveries.
    var warnings: [(finding: String, advice: String)] {
        var warnings: [(String, String)] = []
        if let undecoded = counts[.undecoded], undecoded > 0 {
            warnings.append(("\(Figures.count(undecoded, "post")) could not be decoded", "see `healthsync inbox list`"))
        }
        for gap in gaps.suffix(Self.gapsShown) { warnings.append((gap, "send these days again from the app")) }
        return warnings
    }

    var json: JSONValue {
        .joined(
            .object(of: InboxEntry.State.allCases.map { (key: $0.rawValue, value: counts[$0] ?? 0) }), ["gaps": gaps])
    }

    private static let gapsShown = 5
}
