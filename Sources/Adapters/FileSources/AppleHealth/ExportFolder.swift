import Foundation
import HealthSyncDomain
import HealthSyncPorts

/// The exports of a folder, of the folders in it, and of what was unzipped in those. Each says everything up to its date, so the newest speaks for all.
struct ExportFolder {
    /// One of them, closed: a folder may hold more than a process may have open.
    struct Export {
        let path: String
        let exportDate: Instant?
        /// Of the file at `path` when it was looked at.
        let status: FileStatus
        /// The main file where that is an archive.
        let entry: ZipEntry?
    }

    // Whatever the phone's language.
    private static let nameInArchives = "apple_health_export"

    /// The newest first: by export date; those that tell none follow, by the time of change of their file. Of the same
    /// date the largest comes first, and a plain file before an archive of it.
    let exports: [Export]
    /// What may be a newer one and cannot be read: files that could not be opened, and those that are no whole archive and
    /// were changed after the newest.
    let unreadable: [SyncFailure]

    /// Looks into the folder at `path`.
    ///
    /// Throws `.noInput` when it cannot be read.
    init(_ path: String, limits: DecompressionLimits) throws {
        // A link that a person names is followed; links inside the folder are not.
        let folder = URL(fileURLWithPath: path, isDirectory: true).resolvingSymlinksInPath()
        let inside = try Self.listing(folder)
        let below = Self.listings(ofFoldersAmong: inside)
        let unzipped = Self.listings(ofFoldersAmong: below.filter { $0.lastPathComponent == Self.nameInArchives })
        let locator = ExportLocator(limits: limits)
        var found: [Export] = []
        var failures: [(failure: SyncFailure, modified: Int128)] = []
        for file in inside + below + unzipped where Self.mayHoldExport(file) {
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

    /// What is not read beside the newest, and why.
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

    private static func mayHoldExport(_ file: URL) -> Bool {
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
                advice: "check that you may read it")
        }
    }

    /// Links are not followed: nothing outside the named folder is read.
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

    /// Opens it. Throws `.noInput` when that fails, or another file stands there by now.
    func content() throws(SyncFailure) -> ExportContent {
        let file = try ReadableFile(path: path)
        guard file.status == status else {
            throw SyncFailure(
                .noInput, subject: path, reason: "was changed while its folder was looked through",
                advice: "run this again when nothing is written there any more")
        }
        return entry.map { .entry($0, archive: file) } ?? .file(file)
    }

    /// The larger the newer.
    fileprivate var age: (Int64, Int128, Int64, Int, String) {
        let size = entry.map { Int64(clamping: $0.size) } ?? status.size
        return (
            exportDate?.milliseconds ?? .min, exportDate == nil ? status.modified : 0, size, entry == nil ? 1 : 0, path
        )
    }
}
