import Foundation
import HealthSyncDomain
import HealthSyncPorts

/// The exports of a folder, of the folders in it, and of what was unzipped in those. Each says everything up to its date, so the newest speaks for all.
struct ExportFolder {
    /// One of them.
    struct Export {
        let path: String
        let content: ExportContent
        let exportDate: Instant?
    }

    // Whatever the phone's language.
    private static let nameInArchives = "apple_health_export"

    /// The newest first: by export date; those that tell none follow, by the time of change of their file. Of the same
    /// date the largest comes first, and a plain file before an archive of it.
    let exports: [Export]
    /// What cannot be read and was changed after the newest, so that it may be a newer one.
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
        var failures: [(failure: SyncFailure, modified: Int64)] = []
        for file in inside + below + unzipped where Self.mayHoldExport(file) {
            do {
                guard let (content, head) = try locator.export(inUnnamed: file.path) else { continue }
                found.append(Export(path: file.path, content: content, exportDate: ExportProbe.exportDate(head)))
            } catch let failure as SyncFailure {
                failures.append((failure, (try? FileStatus(path: file.path).modified) ?? 0))
            }
        }
        exports = found.sorted { $0.age > $1.age }
        let newest = exports.first?.content.file.modified ?? 0
        unreadable = failures.filter { $0.modified > newest }.map(\.failure)
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
    /// The larger the newer.
    fileprivate var age: (Int64, Int64, Int64, Int, String) {
        let isPlain = if case .file = content { 1 } else { 0 }
        return (
            exportDate?.milliseconds ?? .min, exportDate == nil ? content.file.modified : 0, content.size, isPlain, path
        )
    }
}
