import Foundation
import HealthSyncPostgres
import HealthSyncTestKit
import HealthSyncTestTools

/// A PostgreSQL server for the tests, which ends with the process that started it.
final class TestServer: Sendable {
    /// The shared server; each test creates a database on it.
    static let shared = Task { try await TestServer() }

    /// A server behind PgBouncer in transaction mode, to which tests connect.
    static let pooled = Task { try await TestServer(isPooled: true) }

    /// Whether PgBouncer is installed.
    static let hasPooler: Bool = {
        let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
        let folders = path.split(separator: ":").map(String.init) + ["/usr/sbin"]
        return folders.contains { FileManager.default.isExecutableFile(atPath: $0 + "/pgbouncer") }
    }()

    /// Whether a server is installed.
    static let isInstalled: Bool = {
        let versions = (try? FileManager.default.contentsOfDirectory(atPath: "/usr/lib/postgresql")) ?? []
        let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
        let folders = versions.map { "/usr/lib/postgresql/\($0)/bin" } + path.split(separator: ":").map(String.init)
        return folders.contains { FileManager.default.isExecutableFile(atPath: $0 + "/initdb") }
    }()

    /// The setting of an address with which only a connection that hangs fails.
    static let patience = "connect_timeout=1200"

    private let process: PythonProcess
    /// The folder of the socket.
    let folder: String

    private let pooler: String

    init(isPooled: Bool = false) async throws {
        pooler = isPooled ? " port=6432" : ""
        process = try PythonProcess(
            [Peer.path(of: "servers/postgres_server.py")] + (isPooled ? ["--pooler"] : []), errors: .standardError)
        let line = try await process.line()
        guard line.hasPrefix("ready ") else { throw ContractViolation("the server did not start: \(line)") }
        folder = String(line.dropFirst("ready ".count))
    }

    /// The libpq address of `database`, behind the pooler if there is one.
    func address(_ database: String, user: String = "healthsync") throws -> PostgresAddress {
        try PostgresAddress("host=\(folder) user=\(user) dbname=\(database)\(pooler) \(Self.patience)")
    }

    /// Creates an empty database.
    func newDatabase() async throws -> String {
        let name = "t" + UUID().uuidString.lowercased().replacingOccurrences(of: "-", with: "")
        _ = try await sql("CREATE DATABASE \(name) TEMPLATE template0", in: "postgres")
        return name
    }

    /// Returns the output of psql: one row per line, `|` between columns.
    func sql(_ text: String, in database: String, throughPooler: Bool = false) async throws -> String {
        let address = "host=\(folder) user=healthsync dbname=\(database)\(throughPooler ? pooler : "")"
        let psql = Command(["psql", "-X", "-At", "-v", "ON_ERROR_STOP=1", "-c", text, address])
        let output = try await BlockingThread.run { try psql.output() }
        return String(decoding: output, as: UTF8.self).trimmingCharacters(in: .newlines)
    }

    /// Returns the stored samples as `postgres_pages.py` prints them: position, user, type, id, start, end, value, bundle,
    /// device, revision, deleted, uppercase. It also checks what is stored with the pages.
    func samples(in database: String) async throws -> [[Substring]] {
        let (status, output) = try await Peer.run(
            "servers/postgres_pages.py", ["host=\(folder) user=healthsync dbname=\(database)"])
        guard status == 0 else { throw ContractViolation(output) }
        return output.split(separator: "\n").map { $0.split(separator: "\t", omittingEmptySubsequences: false) }
    }

    /// Runs `stop`, `start`, `restart` or `crash` and waits for its end.
    func tell(_ command: String) async throws {
        try process.tell(command)
        let answer = try await process.line()
        guard answer == "done" else { throw ContractViolation("the server could not \(command)") }
    }
}
