import HealthSyncDomain
import HealthSyncPorts

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
