import Foundation
import HealthSyncPostgres
import HealthSyncTestKit

/// A PostgreSQL server of the tests' own; it ends with the process that started it.
final class TestServer: Sendable {
    /// The one that tests share; each makes a database of its own there.
    static let shared = Task { try await TestServer() }

    /// Whether a server is installed.
    static let isInstalled: Bool = {
        let versions = (try? FileManager.default.contentsOfDirectory(atPath: "/usr/lib/postgresql")) ?? []
        let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
        let folders = versions.map { "/usr/lib/postgresql/\($0)/bin" } + path.split(separator: ":").map(String.init)
        return folders.contains { FileManager.default.isExecutableFile(atPath: $0 + "/initdb") }
    }()

    private let input: FileHandle
    private let output: FileHandle
    /// Where the socket is.
    let folder: String

    init() async throws {
        let (script, commands, answers) = (Process(), Pipe(), Pipe())
        script.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        script.arguments = ["python3", "-B", Self.package.appendingPathComponent(Self.path).path]
        script.standardInput = commands
        script.standardOutput = answers
        try script.run()
        input = commands.fileHandleForWriting
        output = answers.fileHandleForReading
        let line = try await Self.line(from: answers.fileHandleForReading)
        guard line.hasPrefix("ready ") else { throw ContractViolation("the server did not start: \(line)") }
        folder = String(line.dropFirst("ready ".count))
    }

    private static let path = "Tests/Support/Peers/servers/postgres_server.py"
    private static let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// The text of a file of the package.
    static func text(_ path: String) throws -> String {
        try String(contentsOf: package.appendingPathComponent(path), encoding: .utf8)
    }

    /// What libpq finds `database` by.
    func address(_ database: String, user: String = "healthsync") throws -> PostgresAddress {
        try PostgresAddress("host=\(folder) user=\(user) dbname=\(database)")
    }

    /// A new, empty database.
    func newDatabase() async throws -> String {
        let name = "t" + UUID().uuidString.lowercased().replacingOccurrences(of: "-", with: "")
        _ = try await sql("CREATE DATABASE \(name)", in: "postgres")
        return name
    }

    /// What psql, which is not ours, prints: a row a line, `|` between columns.
    func sql(_ text: String, in database: String) async throws -> String {
        let address = "host=\(folder) user=healthsync dbname=\(database)"
        return try await Self.onThread {
            let (psql, output) = (Process(), Pipe())
            psql.executableURL = URL(fileURLWithPath: "/usr/bin/env")
            psql.arguments = ["psql", "-X", "-At", "-v", "ON_ERROR_STOP=1", "-c", text, address]
            psql.standardOutput = output
            try psql.run()
            let bytes = try output.fileHandleForReading.readToEnd() ?? Data()
            psql.waitUntilExit()
            guard psql.terminationStatus == 0 else { throw ContractViolation("psql refused: \(text)") }
            return String(decoding: bytes, as: UTF8.self).trimmingCharacters(in: .newlines)
        }
    }

    /// `stop`, `start`, `restart` or `crash`; returns when it is done.
    func tell(_ command: String) async throws {
        try input.write(contentsOf: Data("\(command)\n".utf8))
        let answer = try await Self.line(from: output)
        guard answer == "done" else { throw ContractViolation("the server could not \(command)") }
    }

    private static func line(from handle: FileHandle) async throws -> String {
        try await onThread {
            var line = Data()
            while let byte = try handle.read(upToCount: 1), !byte.isEmpty, byte != Data([0x0A]) { line += byte }
            return String(decoding: line, as: UTF8.self)
        }
    }

    private static func onThread<Result: Sendable>(
        _ body: @escaping @Sendable () throws -> Result
    ) async throws -> Result {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread { continuation.resume(with: Swift.Result { try body() }) }
        }
    }
}
