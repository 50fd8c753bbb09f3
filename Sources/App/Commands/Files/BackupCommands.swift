import HealthSyncDomain
import HealthSyncPorts

/// `healthsync backup`
enum BackupCommand: Command {
    static let declaration = CommandDeclaration(
        "backup", "Write a backup of the local store, or of a server's store, to one file",
        discussion: [
            "Copies a consistent state while runs and servers continue, checks every database, and reads the file again to "
                + "compare its checksums. The file is a tar archive that only you may read; it contains health data and "
                + "tokens and is not encrypted.",
            "The local store includes tracking, outbox, shoes, paired phones, the pause and the archive of the inbox. Sources "
                + "and the configuration file are not included. With --store the backup contains received data, tokens "
                + "and waiting posts.",
            "In a folder the file is named after the time, and --keep deletes older backups of the same kind of store once "
                + "the new one is verified.",
        ],
        arguments: [
            ArgumentDeclaration("FILE", "The file to write; an existing FOLDER or FOLDER/; - for standard output")
        ],
        options: [
            .value("store", "STORE", "Back up this store of a receiving server: sqlite:PATH"), BackupChoice.inboxOption,
            .flag("force", "Replace an existing file"),
            .value("keep", "N", "Keep only the newest N backups in the folder", default: "all"),
        ],
        examples: [
            "backup health.tar", "backup ~/backups/ --keep 14", "backup - | age -r age1… > health.tar.age",
            "backup server.tar --store sqlite:/var/lib/healthsync/received.db",
        ])

    static func run(in context: CommandContext) async throws -> ExitStatus {
        var file = try BackupChoice.file(in: context)
        if file == .standardStream {
            guard !context.environment.isOutputTerminal else {
                throw SyncFailure.usage(
                    "-", "standard output is a terminal", advice: "name a file, or redirect the output")
            }
            guard !context.parsed.has("json") else {
                throw SyncFailure.usage(
                    "--json", "cannot be combined with standard output", advice: "omit it, or name a file")
            }
        }
        let choice = try await BackupChoice.of(context)
        let kept = try context.parsed.integer("keep", in: 1...100_000)
        let folder = try BackupFolder.of(file, choice.store, in: context)
        if let folder { file = try await folder.newFile(at: context.environment.time.now()) }
        let summary = try await choice.backups.write(
            choice.store, to: file, replaces: context.parsed.has("force"), version: context.environment.version)
        let text = "\(BackupChoice.text(summary)) written"
        if case .path(let path) = file {
            var deleted: [String] = []
            if let folder, let kept { deleted = try await folder.prune(keeping: kept) }
            context.report(
                text: ["\(text) to \(path)"] + deleted.map { "deleted \($0)" },
                json: .joined(BackupChoice.json(summary, path: path), ["deleted": deleted]), status: .done)
        } else {
            context.warn(text)
        }
        return .done
    }
}

/// The store and the file that `backup` and `restore` use.
private struct BackupChoice {
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

/// A folder of backups, whose names contain the time, so that they sort by age.
private struct BackupFolder {
    private let path: String
    private let files: any UserFiles
    /// How the names of backups of this kind of store begin.
    private let prefix: String

    /// Returns the folder that the argument FILE names; `nil` if it names a file. Throws `.usage` for a file with --keep.
    static func of(_ file: BackupFile, _ store: BackupStore, in context: CommandContext) throws -> BackupFolder? {
        if case .path(let path) = file {
            let files = context.environment.files
            let isFolder = try files.status(of: path)?.isFolder
            if isFolder == true || isFolder == nil && context.parsed.arguments[0].hasSuffix("/") {
                let prefix = if case .local = store { "healthsync-" } else { "healthsync-server-" }
                return BackupFolder(path: path, files: files, prefix: prefix)
            }
        }
        guard !context.parsed.has("keep") else {
            throw SyncFailure.usage(
                "--keep", "applies to a folder of backups", advice: "name a folder that exists, or write FOLDER/")
        }
        return nil
    }

    /// Creates the folder if necessary, and returns the path of a backup made at `now`.
    func newFile(at now: Instant) async throws -> BackupFile {
        try await BlockingWork.run("healthsync.backup") { [path, files] _ in try files.makePrivateFolder(path) }
        let time = RFC3339.string(Instant(seconds: now.milliseconds / 1_000)).replacing(":", with: "-")
        return .path("\(path)/\(prefix)\(time).tar")
    }

    /// Deletes all but the newest `count` backups of this kind and returns the paths of the deleted ones.
    func prune(keeping count: Int) async throws -> [String] {
        try await BlockingWork.run("healthsync.backup") { [path, files, prefix] _ in
            let backups = try files.names(in: path).filter { Self.isBackup($0, prefix) }.sorted()
            let old = backups.dropLast(count).map { "\(path)/\($0)" }
            for backup in old { try files.deleteFile(backup) }
            return old
        }
    }

    /// Returns whether `name` is exactly of the form that `newFile` gives, so that no other file is deleted.
    private static func isBackup(_ name: String, _ prefix: String) -> Bool {
        guard name.hasPrefix(prefix), name.hasSuffix(".tar") else { return false }
        let time = name.dropFirst(prefix.count).dropLast(4).split(separator: "T", omittingEmptySubsequences: false)
        return time.count == 2 && RFC3339.instant("\(time[0])T\(time[1].replacing("-", with: ":"))") != nil
    }
}

/// `healthsync restore`
enum RestoreCommand: Command {
    static let declaration = CommandDeclaration(
        "restore", "Restore a backup of the local store, or of a server's store",
        discussion: [
            "Reads the whole file, compares its checksums and checks its databases before anything changes. If the command is "
                + "killed, the next one finds either the old or the restored data. Does not replace existing data without "
                + "--force. Posts of phones that were not yet imported are kept.",
            "Stop a server before you restore its store.",
        ], arguments: [ArgumentDeclaration("FILE", "The backup; - for standard input")],
        options: [
            .value("store", "STORE", "Restore this store of a receiving server: sqlite:PATH"),
            .flag("force", "Replace the data of an existing store"),
            .flag("check", "Compare the checksums of the backup and restore nothing"),
        ],
        examples: [
            "restore health.tar", "restore health.tar --data-dir /tmp/copy", "restore health.tar --check",
        ])

    static func run(in context: CommandContext) async throws -> ExitStatus {
        let file = try BackupChoice.file(in: context)
        let path: String? = if case .path(let path) = file { path } else { nil }
        let name = path ?? "standard input"
        let choice = try await BackupChoice.of(context)
        guard !context.parsed.has("check") else {
            let summary = try await choice.backups.check(file)
            context.show(
                text: ["\(name): intact, \(BackupChoice.text(summary))"], json: BackupChoice.json(summary, path: path))
            return .done
        }
        let summary = try await choice.backups.restore(
            choice.store, from: file, replaces: context.parsed.has("force"),
            lockWaitMilliseconds: Int64(choice.settings.limits.lockWaitSeconds) * 1_000)
        context.show(
            text: ["\(BackupChoice.text(summary)) restored to \(choice.place)"],
            json: BackupChoice.json(summary, path: path))
        return .done
    }
}
