import HealthSyncDomain
import HealthSyncEngine

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
