import HealthSyncDomain
import HealthSyncPorts

/// Where a receiving server stores its data.
package enum ReceivedStoreLocation: Sendable, Hashable {
    /// An SQLite file at this absolute path.
    case sqlite(path: String)
    /// A PostgreSQL database as a libpq connection string, which may contain a password and must not be shown.
    case postgres(conninfo: String)

    static let option = OptionDeclaration.value(
        "store", "STORE", "Store received data in sqlite:PATH or postgres://USER@HOST/DATABASE",
        default: "sqlite:server/received.db in the data folder")

    /// Returns the location that `--store` names. Completes a restore of the store that was killed.
    static func of(_ context: CommandContext) async throws -> ReceivedStoreLocation {
        let location = try await stated(context)
        if case .sqlite(let path) = location, let folder = location.inboxFolder {
            try await context.environment.factory.backups?.finishRestore(
                of: .server(path: path, inboxFolder: folder))
        }
        return location
    }

    private static func stated(_ context: CommandContext) async throws -> ReceivedStoreLocation {
        guard let text = context.parsed.text("store") else {
            return .sqlite(path: try await context.settings().dataDirectory + "/server/received.db")
        }
        if let conninfo = conninfo(of: text) { return .postgres(conninfo: conninfo) }
        guard text.hasPrefix("sqlite:"), text.utf8.count > 7 else {
            // Do not repeat the text, because it may contain a password.
            throw SyncFailure.usage(
                "--store", "invalid store", advice: "write it as sqlite:PATH or postgres://USER@HOST/DATABASE")
        }
        let resolver = PathResolver(home: context.environment.variables["HOME"])
        return .sqlite(
            path: resolver.absolute(String(text.dropFirst(7)), from: context.environment.workingDirectory))
    }

    /// Returns the path of the file with the tokens of an SQLite store, next to the store.
    package static func tokensPath(beside path: String) -> String { path + "-tokens" }

    /// The folder of the posts of phones of an SQLite store, next to the store; `nil` for PostgreSQL, whose servers have
    /// no folder in common.
    var inboxFolder: String? { if case .sqlite(let path) = self { path + "-inbox" } else { nil } }

    /// Throws `.noInput` if an SQLite store does not exist. PostgreSQL reports a missing database itself.
    func requireStore(in context: CommandContext) throws(SyncFailure) {
        guard case .sqlite(let path) = self else { return }
        let files = context.environment.files
        guard try files.status(of: path) == nil, try files.status(of: Self.tokensPath(beside: path)) == nil else {
            return
        }
        throw SyncFailure(
            .noInput, subject: path, reason: "no store exists there",
            advice: "name another one with --store, or create its first token with `healthsync token create`")
    }

    /// Returns the connection string: a URI, or `keyword=value` pairs after `postgres:`.
    private static func conninfo(of text: String) -> String? {
        if text.hasPrefix("postgres://") || text.hasPrefix("postgresql://") { return text }
        return text.hasPrefix("postgres:") ? String(text.dropFirst("postgres:".utf8.count)) : nil
    }
}
