import Foundation
import HealthSyncDomain

/// Finds the main file of an export. Its name follows the phone's language and may be unreadable, so it is chosen by its
/// content: the largest file that begins as an export does. The clinical document beside it (`…_cda.xml`) never is.
struct ExportLocator {
    // Beside exports people keep archives of all kinds, with thousands of files.
    private static let candidatesOfUnnamedArchive = 8

    let limits: DecompressionLimits

    /// The main file of the export at `path`: a ZIP archive, an XML file, an unzipped folder or the folder above it.
    ///
    /// Throws `.noInput` when there is nothing to read, `.badInput` when it is no export.
    func content(at path: String) throws -> ExportContent {
        if try FileStatus(path: path).isFolder {
            guard let newest = try ExportFolder(path, limits: limits).exports.first else {
                throw notAnExport(path, "the folder holds no Apple Health export")
            }
            return try newest.content()
        }
        let file = try ReadableFile(path: path)
        let head = try file.bytes(at: 0, count: ExportProbe.length)
        if Self.isArchive(head) || (path.lowercased().hasSuffix(".zip") && !ExportProbe.isExport(head)) {
            guard let (entry, _) = try mainEntry(of: file) else {
                throw notAnExport(path, "the archive holds no Apple Health export")
            }
            return .entry(entry, archive: file)
        }
        guard ExportProbe.isExport(head) else { throw notAnExport(path, "it is not an Apple Health export") }
        return .file(file)
    }

    /// The export in the file at `path` of a folder, with the first bytes of its main file; `nil` when it is none.
    ///
    /// Throws when it cannot be read.
    func export(inUnnamed path: String) throws -> (content: ExportContent, head: [UInt8])? {
        let file = try ReadableFile(path: path)
        let head = try file.bytes(at: 0, count: ExportProbe.length)
        if ExportProbe.isExport(head) { return (.file(file), head) }
        guard path.lowercased().hasSuffix(".zip"), Self.isArchive(head) else { return nil }
        return try mainEntry(of: file, isNamed: false).map { (.entry($0.entry, archive: file), $0.head) }
    }

    /// Whether a file of that name may be the main file of an export.
    static func mayBeMain(_ name: String) -> Bool {
        let name = name.lowercased()
        return !name.hasPrefix(".") && !name.hasSuffix("_cda.xml")
            && ![".gpx", ".csv", ".json", ".jpg", ".png", ".pdf"].contains { name.hasSuffix($0) }
    }

    private static func isArchive(_ head: [UInt8]) -> Bool {
        head.starts(with: [0x50, 0x4B, 0x03, 0x04]) || head.starts(with: [0x50, 0x4B, 0x05, 0x06])
    }

    private func mainEntry(
        of file: ReadableFile, isNamed: Bool = true
    ) throws -> (entry: ZipEntry, head: [UInt8])? {
        let all = try ZipDirectory(of: file).entries
            .filter { !$0.isFolder && Self.mayBeMain($0.lastComponent) && !$0.name.hasPrefix("__MACOSX/") }
            .sorted { ($0.size, $1.index) > ($1.size, $0.index) }
        let documents = all.filter { $0.name.lowercased().hasSuffix(".xml") }
        for entry in isNamed ? all : Array(documents.prefix(Self.candidatesOfUnnamedArchive)) {
            if let head = try? head(of: entry, in: file), ExportProbe.isExport(head) { return (entry, head) }
        }
        // Why the likeliest candidate cannot be read says more than that there is none.
        if let entry = documents.first { _ = try head(of: entry, in: file) }
        return nil
    }

    private func head(of entry: ZipEntry, in file: ReadableFile) throws -> [UInt8] {
        let reader = try ZipEntryReader(entry, in: file, limits: limits)
        var head = [UInt8](repeating: 0, count: ExportProbe.length)
        let count = try unsafe head.withUnsafeMutableBytes { buffer in
            var count = 0
            while count < buffer.count {
                let read = try unsafe reader.read(into: UnsafeMutableRawBufferPointer(rebasing: buffer[count...]))
                if read == 0 { break }
                count += read
            }
            return count
        }
        head.removeLast(head.count - count)
        return head
    }

    private func notAnExport(_ path: String, _ reason: String) -> SyncFailure {
        SyncFailure(
            .badInput, subject: path, reason: reason,
            advice: "name the export.zip that the Health app writes (Profile, Export All Health Data)")
    }
}
