import Foundation
import HealthSyncDomain

/// Finds the main file of an export. Its name depends on the phone's language and may be unreadable, so it is
/// identified by content: the largest file that begins like an export, except the clinical document (`…_cda.xml`).
struct ExportLocator {
    // Users keep archives of all kinds next to exports, with thousands of files.
    private static let candidatesOfUnnamedArchive = 8

    let limits: DecompressionLimits

    /// Returns the main file of the export at `path`: a ZIP archive, an XML file, an unzipped folder or its parent
    /// folder.
    ///
    /// Throws `.noInput` if the file does not exist, `.badInput` if it is not an export.
    func content(at path: String) throws -> ExportContent {
        if try FileStatus(path: path).isFolder {
            guard let newest = try ExportFolder(path, limits: limits).exports.first else {
                throw notAnExport(path, "the folder contains no Apple Health export")
            }
            return try newest.content()
        }
        let file = try ReadableFile(path: path)
        let head = try file.bytes(at: 0, count: ExportProbe.length)
        if Self.isArchive(head) || (path.lowercased().hasSuffix(".zip") && !ExportProbe.isExport(head)) {
            guard let (entry, _) = try mainEntry(of: file) else {
                throw notAnExport(path, "the archive contains no Apple Health export")
            }
            return .entry(entry, archive: file)
        }
        guard ExportProbe.isExport(head) else { throw notAnExport(path, "not an Apple Health export") }
        return .file(file)
    }

    /// Returns the export in a file that was found in a folder, with the first bytes of its main file; `nil` if the
    /// file is not an export.
    ///
    /// Throws a failure if the file cannot be read.
    func export(inUnnamed path: String) throws -> (content: ExportContent, head: [UInt8])? {
        let file = try ReadableFile(path: path)
        let head = try file.bytes(at: 0, count: ExportProbe.length)
        if ExportProbe.isExport(head) { return (.file(file), head) }
        guard path.lowercased().hasSuffix(".zip"), Self.isArchive(head) else { return nil }
        return try mainEntry(of: file, isNamed: false).map { (.entry($0.entry, archive: file), $0.head) }
    }

    /// Returns whether a file with this name may be the main file of an export.
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
        // The reason why the most likely candidate cannot be read is more useful than that none was found.
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
            advice: "specify the export.zip that the Health app creates (Profile, Export All Health Data)")
    }
}
