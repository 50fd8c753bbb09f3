import HealthSyncDomain
import HealthSyncEngine
import HealthSyncPorts

/// What became of the posts of an intake.
struct InboxIntakeView: JSONEncodable {
    /// `nil` if no server was asked.
    var pulled: InboxPull.Report?
    var imported = InboxReport()

    var lines: [String] {
        var lines: [String] = []
        if let pulled {
            lines.append("\(Figures.count(pulled.posts, "post")) (\(Figures.grouped(Int(pulled.bytes))) bytes) fetched")
        }
        lines.append(
            "\(Figures.count(imported.decoded, "post")) imported: "
                + Figures.count(imported.samplesStored, "new sample"))
        lines += imported.undecoded.map {
            "\($0.id) (\($0.sender ?? "unknown app")) could not be decoded: \($0.reason)"
        }
        return lines + imported.gaps + failures.map(\.description)
    }

    var json: JSONValue {
        [
            "pulled": pulled.map { ["posts": $0.posts, "bytes": $0.bytes] as JSONValue },
            "decoded": imported.decoded, "samplesStored": imported.samplesStored,
            "undecoded": imported.undecoded.map {
                ["id": $0.id, "sender": $0.sender, "reason": $0.reason] as JSONValue
            },
            "failures": failures.map { FailureJSON.value($0, status: ExitStatus(of: $0)) },
        ]
    }

    /// Why posts remain on the server.
    var failures: [SyncFailure] { (pulled?.damaged ?? []) + (pulled?.failure.map { [$0] } ?? []) }

    /// The status of a command that did nothing else.
    var status: ExitStatus {
        ExitStatus.mostSevere(
            failures.map { ExitStatus(of: $0) } + [imported.undecoded.isEmpty ? .done : .partial])
    }
}

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
