import HealthSyncDomain
import HealthSyncPorts

/// Where a receiving server keeps what it is sent.
package enum ReceivedStoreLocation: Sendable, Hashable {
    /// An SQLite file at this absolute path.
    case sqlite(path: String)
    /// A PostgreSQL database, as libpq names it; the text may hold a password and is not to be shown.
    case postgres(conninfo: String)

    static let option = OptionDeclaration.value(
        "store", "STORE", "Keep what is received there: sqlite:PATH or postgres://USER@HOST/DATABASE",
        default: "sqlite:server/received.db in the data folder")

    /// The location that `--store` names.
    static func of(_ context: CommandContext) throws -> ReceivedStoreLocation {
        guard let text = context.parsed.text("store") else {
            return .sqlite(path: try context.settings().dataDirectory + "/server/received.db")
        }
        if let conninfo = conninfo(of: text) { return .postgres(conninfo: conninfo) }
        guard text.hasPrefix("sqlite:"), text.utf8.count > 7 else {
            // The text is not repeated: an address may hold a password.
            throw SyncFailure.usage(
                "--store", "this is no store", advice: "write it as sqlite:PATH or postgres://USER@HOST/DATABASE")
        }
        let resolver = PathResolver(home: context.environment.variables["HOME"])
        return .sqlite(
            path: resolver.absolute(String(text.dropFirst(7)), from: context.environment.workingDirectory))
    }

    /// The file in which an SQLite store keeps its tokens, beside what is received.
    package static func tokensPath(beside path: String) -> String { path + "-tokens" }

    /// That something was stored there already; of a PostgreSQL database the server says so itself.
    func requirePresence(in context: CommandContext) throws(SyncFailure) {
        guard case .sqlite(let path) = self else { return }
        let files = context.environment.files
        guard try files.status(of: path) == nil, try files.status(of: Self.tokensPath(beside: path)) == nil else {
            return
        }
        throw SyncFailure(
            .noInput, subject: path, reason: "there is no store there",
            advice: "name another one with --store, or make its first token with `healthsync token create`")
    }

    /// A URI as it stands; `keyword=value` pairs stand behind `postgres:`.
    private static func conninfo(of text: String) -> String? {
        if text.hasPrefix("postgres://") || text.hasPrefix("postgresql://") { return text }
        return text.hasPrefix("postgres:") ? String(text.dropFirst("postgres:".utf8.count)) : nil
    }
}
