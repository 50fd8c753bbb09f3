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
