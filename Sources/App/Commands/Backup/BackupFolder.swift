import HealthSyncDomain
import HealthSyncPorts

/// A folder of backups, whose names contain the time, so that they sort by age.
struct BackupFolder {
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
