import Foundation
import HealthSyncDomain
import HealthSyncTestTools
import Testing

/// The independent receiving server of Tests/Support/Peers, and the files that it writes.
final class PeerServer: Sendable {
    let folder: TemporaryFolder
    let server: PythonServer

    /// Starts a server with the faults of `script`, a JSON list of rules.
    init(
        script: String = "[]", plain: Bool = false, token: String? = nil, port: Int = 0,
        folder: TemporaryFolder? = nil
    )
        async throws
    {
        let folder = try folder ?? TemporaryFolder()
        let scriptFile = try folder.write(script, as: "script.json")
        server = try await PythonServer(
            [Peer.path(of: "servers/receiving_server.py"), "--port", "\(port)", "--dir", folder.path]
                + ["--script", scriptFile] + (plain ? ["--plain"] : []) + (token.map { ["--token", $0] } ?? []))
        self.folder = folder
    }

    var address: String { "http://127.0.0.1:\(server.port)" }

    /// Replaces the faults by those of `script`, a JSON list of rules.
    func follow(_ script: String) async throws {
        let words = ["curl", "--silent", "--fail", "--request", "PUT", "--data", script, "\(address)/script"]
        _ = try await BlockingThread.run { try Command(words).output() }
    }

    /// A record and its result, as the server logged it.
    struct Received: Decodable {
        var op: String
        var kind: String
        var id: String?
        var revision: Int?
        var status: String
        var key: String?
    }

    /// A request as the server logged it; `status` is `nil` if the server closed the connection.
    struct Request: Decodable {
        var method: String
        var path: String
        var status: Int?
        var key: String?
        var sha256: String?
        var encoding: String?
        var bytes: Int?
        var wire_bytes: Int?
        var records: Int?
    }

    func received() throws -> [Received] { try lines("received.jsonl") }
    func requests() throws -> [Request] { try lines("requests.jsonl") }
    func violations() throws -> Int { try text("violations.jsonl").split(separator: "\n").count }

    /// Returns the stored ids of `kind` with the number of times each was created.
    func created(_ kind: RecordKind) throws -> [String: Int] {
        try received().filter { $0.kind == kind.rawValue && $0.status == "created" }
            .reduce(into: [:]) { $0[$1.id ?? "", default: 0] += 1 }
    }

    /// Returns whether every key was always sent with the same content.
    func everyKeyHasOneContent() throws -> Bool {
        try Dictionary(grouping: requests().filter { $0.key != nil && $0.sha256 != nil }, by: \.key)
            .allSatisfy { Set($0.value.map(\.sha256)).count == 1 }
    }

    private func lines<Line: Decodable>(_ name: String) throws -> [Line] {
        try text(name).split(separator: "\n").map { try JSONDecoder().decode(Line.self, from: Data($0.utf8)) }
    }

    private func text(_ name: String) throws -> String {
        guard try folder.names().contains(name) else { return "" }
        return String(decoding: try folder.contents(of: name), as: UTF8.self)
    }
}
