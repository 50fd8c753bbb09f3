import Foundation
import HealthSyncDomain
import HealthSyncPorts

/// The exports in a folder, in its subfolders and in exports unzipped in those. Each export is complete up to its date,
/// so only the newest is read.
struct ExportFolder {
    /// An export that is not kept open: a folder may contain more files than a process may open.
    struct Export {
        let path: String
        let exportDate: Instant?
        /// The status of the file at `path` when it was examined.
        let status: FileStatus
        /// The main file if the export is an archive.
        let entry: ZipEntry?
    }

    // This name does not depend on the phone's language.
    private static let nameInArchives = "apple_health_export"

    /// The exports, newest first: by export date, followed by those without a date by modification time. For equal
    /// dates, the largest comes first, and a plain file before an archive of it.
    let exports: [Export]
    /// The failures of files that may be newer exports: files that could not be opened, and damaged archives that were
    /// modified after the newest export.
    let unreadable: [SyncFailure]

    /// Examines the folder at `path`.
    ///
    /// Throws `.noInput` if it cannot be read.
    init(_ path: String, limits: DecompressionLimits) throws {
        // A link that the user names is followed; links inside the folder are not.
        let folder = URL(fileURLWithPath: path, isDirectory: true).resolvingSymlinksInPath()
        let inside = try Self.listing(folder)
        let below = Self.listings(ofFoldersAmong: inside)
        let unzipped = Self.listings(ofFoldersAmong: below.filter { $0.lastPathComponent == Self.nameInArchives })
        let locator = ExportLocator(limits: limits)
        var found: [Export] = []
        var failures: [(failure: SyncFailure, modified: Int128)] = []
        for file in inside + below + unzipped where Self.mayContainExport(file) {
            do {
                guard let (content, head) = try locator.export(inUnnamed: file.path) else { continue }
                found.append(Export(content, exportDate: ExportProbe.exportDate(head)))
            } catch let failure as SyncFailure {
                failures.append((failure, (try? FileStatus(path: file.path).modified) ?? 0))
            }
        }
        exports = found.sorted { $0.age > $1.age }
        let newest = exports.first?.status.modified ?? .min
        unreadable = failures.filter { $0.failure.code == .noInput || $0.modified > newest }.map(\.failure)
    }

    /// The exports that are not read, with reasons.
    var unread: [UnreadExport] {
        let others = exports.dropFirst().map { export in
            let isAsNew = export.exportDate == exports[0].exportDate && export.exportDate != nil
            return UnreadExport(
                path: export.path, exportDate: export.exportDate,
                reason: "\(exports[0].path) \(isAsNew ? "was exported at the same time" : "is newer") and is read")
        }
        return others
            + unreadable.map {
                UnreadExport(path: $0.subject, exportDate: nil, reason: $0.reason, advice: $0.advice)
            }
    }

    private static func mayContainExport(_ file: URL) -> Bool {
        ["xml", "zip"].contains(file.pathExtension.lowercased()) && ExportLocator.mayBeMain(file.lastPathComponent)
            && isKind(.typeRegular, file)
    }

    private static func listings(ofFoldersAmong files: [URL]) -> [URL] {
        files.filter { isKind(.typeDirectory, $0) }.flatMap { (try? listing($0)) ?? [] }
    }

    private static func listing(_ folder: URL) throws -> [URL] {
        do {
            return try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        } catch {
            throw SyncFailure(
                .noInput, subject: folder.path, reason: "the folder cannot be read",
                advice: "check that you have permission to read it")
        }
    }

    /// Returns whether the file is of `kind`. Links are not followed, so nothing outside the named folder is read.
    private static func isKind(_ kind: FileAttributeType, _ url: URL) -> Bool {
        (try? FileManager.default.attributesOfItem(atPath: url.path))?[.type] as? FileAttributeType == kind
    }
}

extension ExportFolder.Export {
    fileprivate init(_ content: ExportContent, exportDate: Instant?) {
        path = content.file.path
        self.exportDate = exportDate
        status = content.file.status
        entry = if case .entry(let entry, _) = content { entry } else { nil }
    }

    /// Opens the export. Throws `.noInput` if that fails or the file was replaced meanwhile.
    func content() throws(SyncFailure) -> ExportContent {
        let file = try ReadableFile(path: path)
        guard file.status == status else {
            throw SyncFailure(
                .noInput, subject: path, reason: "was changed while its folder was read",
                advice: "run this again when no program writes to it")
        }
        return entry.map { .entry($0, archive: file) } ?? .file(file)
    }

    /// The sort key: newer exports have larger keys.
    fileprivate var age: (Int64, Int128, Int64, Int, String) {
        let size = entry.map { Int64(clamping: $0.size) } ?? status.size
        return (
            exportDate?.milliseconds ?? .min, exportDate == nil ? status.modified : 0, size, entry == nil ? 1 : 0, path
        )
    }
}
