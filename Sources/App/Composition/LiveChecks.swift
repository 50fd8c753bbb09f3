import Foundation
import HealthSyncCommands
import HealthSyncDomain
import HealthSyncFileSources
import HealthSyncOutboxHTTP
import HealthSyncPorts
import HealthSyncPostgres
import HealthSyncReceiver
import HealthSyncSQLite
import HealthSyncSystem

/// What `doctor` asks of adapters.
enum LiveChecks {
    static func database(_ settings: Settings, time: any TimeSource) async -> [CheckFinding] {
        let path = settings.databasePath
        guard FileManager.default.fileExists(atPath: path) else {
            return [CheckFinding(.ok, "database", "\(path): not made yet; the first run makes it")]
        }
        do {
            let database = try await SQLiteDatabase.open(at: path, access: .readOnly, time: time)
            let problems = try await database.integrityProblems()
            try await database.close()
            guard problems.isEmpty else {
                return problems.map {
                    CheckFinding(
                        .error, "database", "\(path): \($0)",
                        advice: "move the file away and run `healthsync historical` with your sources")
                }
            }
            return [CheckFinding(.ok, "database", "\(path): intact, schema \(SQLiteDatabase.schemaVersion)")]
        } catch {
            return [finding(of: error, subject: "database")]
        }
    }

    static func server(_ settings: Settings, time: any TimeSource) async -> CheckFinding {
        guard let server = settings.server else { return CheckFinding(.ok, "server", "none is configured") }
        do {
            let profile = settings.userProfileID ?? UUID()
            let http = try HTTPOutboxSettings(
                address: ServerAddress(server.url), token: server.token, profile: UUIDText.text(profile))
            switch await HTTPOutboxSender(http, hasher: LibcryptoHasher(), time: time).capabilities() {
            case .capabilities(.plain):
                return CheckFinding(
                    .warning, "server", "\(server.url): answers, and takes steps and sleep only",
                    advice: "a healthsync server takes everything and can be verified")
            case .capabilities: return CheckFinding(.ok, "server", "\(server.url): answers and takes everything")
            case .failed(let verdict):
                return CheckFinding(
                    .error, "server", "\(server.url): \(verdict.trouble ?? "does not say what it can do")",
                    advice: "check the address, the token and the network")
            }
        } catch {
            return finding(of: error, subject: "server")
        }
    }

    static func libraries() -> [(name: String, version: String)] {
        [
            ("SQLite", SQLiteDatabase.libraryVersion), ("libcurl", HTTPOutboxSender.libraryVersion),
            ("libzip", FileSourceLibraries.zip), ("ISA-L", FileSourceLibraries.inflate),
            ("libmicrohttpd", HTTPDaemon.libraryVersion), ("libpq", PostgresLibrary.version),
            ("libcrypto", LibcryptoHasher.libraryVersion),
        ]
    }

    private static func finding(of error: any Error, subject: String) -> CheckFinding {
        guard let failure = error as? SyncFailure else { return CheckFinding(.error, subject, "\(error)") }
        return CheckFinding(.error, subject, "\(failure.subject): \(failure.reason)", advice: failure.advice)
    }
}
