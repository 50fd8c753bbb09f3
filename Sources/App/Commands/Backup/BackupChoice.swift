import HealthSyncDomain
import HealthSyncPorts

/// The store and the file that `backup` and `restore` use.
struct BackupChoice {
    let store: BackupStore
    let settings: Settings
    let backups: any StoreBackups

    static let inboxOption = OptionDeclaration.value(
        "inbox", "FOLDER", "Back up the waiting posts in this folder, as `serve --inbox` names it",
        default: "next to the store")

    /// Returns the choice of a command line. Throws `.usage` for PostgreSQL, which has its own programs.
    static func of(_ context: CommandContext) async throws -> BackupChoice {
        guard let backups = context.environment.factory.backups else {
            throw SyncFailure(
                .unexpected, subject: "backup", reason: "this program has no backups", advice: "use healthsync itself")
        }
        let settings = try await context.settings()
        guard context.parsed.has("store") else {
            if context.parsed.has("inbox") {
                throw SyncFailure.usage(
                    "--inbox", "applies to the store of a server only", advice: "omit it, or add --store")
            }
            return BackupChoice(
                store: .local(dataDirectory: settings.dataDirectory), settings: settings, backups: backups)
        }
        let location = try await ReceivedStoreLocation.of(context)
        guard case .sqlite(let path) = location, let folder = location.inboxFolder else {
            throw SyncFailure.usage(
                "--store", "PostgreSQL has its own backups", advice: "use pg_dump and pg_restore")
        }
        let inbox = context.parsed.text("inbox").map {
            PathResolver(home: context.environment.variables["HOME"])
                .absolute($0, from: context.environment.workingDirectory)
        }
        return BackupChoice(
            store: .server(path: path, inboxFolder: inbox ?? folder), settings: settings, backups: backups)
    }

    /// Returns the file of the first argument.
    static func file(in context: CommandContext) throws(SyncFailure) -> BackupFile {
        guard let text = context.parsed.arguments.first, !text.isEmpty else {
            throw .usage(context.parsed.path[0], "no file given", advice: "name a file, or - for a pipe")
        }
        if text == "-" { return .standardStream }
        return .path(
            PathResolver(home: context.environment.variables["HOME"])
                .absolute(text, from: context.environment.workingDirectory))
    }

    /// The data folder, or the database of the server.
    var place: String {
        switch store {
        case .local(let folder): folder
        case .server(let path, _): path
        }
    }

    static func text(_ summary: BackupSummary) -> String {
        "backup of \(RFC3339.string(summary.created)) with \(Figures.count(summary.files, "file")) and "
            + Figures.count(Int(clamping: summary.bytes), "byte")
    }

    static func json(_ summary: BackupSummary, path: String?) -> JSONValue {
        [
            "path": path, "created": RFC3339.string(summary.created), "files": summary.files, "bytes": summary.bytes,
        ]
    }
}
