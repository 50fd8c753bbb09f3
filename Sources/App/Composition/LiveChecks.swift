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

/// The checks of `doctor` that need adapters.
enum LiveChecks {
    static func database(_ settings: Settings, time: any TimeSource) async -> [CheckFinding] {
        let path = settings.databasePath
        guard FileManager.default.fileExists(atPath: path) else {
            return [CheckFinding(.ok, "database", "\(path): none yet; the first run creates it")]
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

    static func server(
        _ settings: Settings, time: any TimeSource, senders: [any HealthDestinationFormat]
    ) async -> CheckFinding {
        guard let server = settings.server else { return CheckFinding(.ok, "server", "none is configured") }
        do {
            let profile = settings.userProfileID ?? UUID()
            let destination = try DestinationFormats(senders).destination(
                for: DestinationRequest(
                    address: server.url, token: server.token, userProfile: UUIDText.text(profile), time: time))
            switch await destination.sender.capabilities() {
            case .capabilities(let accepted) where accepted == .plain:
                return CheckFinding(
                    .warning, "server", "\(server.url): available, accepts steps and sleep only",
                    advice: "deliver to `healthsync serve`, which accepts all records and can be verified")
            case .capabilities where destination.reader == nil:
                return CheckFinding(.ok, "server", "\(server.url): available, cannot be verified")
            case .capabilities: return CheckFinding(.ok, "server", "\(server.url): available, accepts all records")
            case .failed(let verdict):
                return CheckFinding(
                    .error, "server", "\(server.url): \(verdict.trouble ?? "does not report what it accepts")",
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
            ("libpq", PostgresLibrary.version),
            ("OpenSSL", LibcryptoHasher.libraryVersion), ("libqrencode", LibqrencodeEncoder.libraryVersion),
        ]
    }

    private static func finding(of error: any Error, subject: String) -> CheckFinding {
        guard let failure = error as? SyncFailure else { return CheckFinding(.error, subject, "\(error)") }
        return CheckFinding(.error, subject, "\(failure.subject): \(failure.reason)", advice: failure.advice)
    }
}
