import Foundation
import HealthSyncDomain

/// Finds the main file of an export. Its name follows the phone's language and may be unreadable, so it is chosen by its
/// content: the largest file that begins as an export does. The clinical document beside it (`…_cda.xml`) never is.
struct ExportLocator {
    let limits: DecompressionLimits

    /// The main file of the export at `path`: a ZIP archive, an XML file, an unzipped folder or the folder above it.
    ///
    /// Throws `.noInput` when there is nothing to read, `.badInput` when it is no export.
    func content(at path: String) throws -> ExportContent {
        if try FileStatus(path: path).isFolder { return try .file(mainFile(inFolder: path)) }
        let file = try ReadableFile(path: path)
        let head = try file.bytes(at: 0, count: ExportProbe.length)
        let isArchive = head.starts(with: [0x50, 0x4B, 0x03, 0x04]) || head.starts(with: [0x50, 0x4B, 0x05, 0x06])
        if isArchive || (path.lowercased().hasSuffix(".zip") && !ExportProbe.isExport(head)) {
            return try .entry(mainEntry(of: file), archive: file)
        }
        guard ExportProbe.isExport(head) else { throw notAnExport(path, "it is not an Apple Health export") }
        return .file(file)
    }

    private func mainEntry(of file: ReadableFile) throws -> ZipEntry {
        let candidates = try ZipDirectory(of: file).entries
            .filter { !$0.isFolder && Self.mayBeMain($0.lastComponent) && !$0.name.hasPrefix("__MACOSX/") }
            .sorted { ($0.size, $1.index) > ($1.size, $0.index) }
        for entry in candidates {
            if let head = try? head(of: entry, in: file), ExportProbe.isExport(head) { return entry }
        }
        // Why the likeliest candidate cannot be read says more than that there is none.
        if let entry = candidates.first(where: { $0.name.lowercased().hasSuffix(".xml") }) {
            _ = try head(of: entry, in: file)
        }
        throw notAnExport(file.path, "the archive holds no Apple Health export")
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

    private func mainFile(inFolder path: String) throws -> ReadableFile {
        // A link that a person names is followed; links inside the folder are not.
        let folder = URL(fileURLWithPath: path, isDirectory: true).resolvingSymlinksInPath()
        let inside = try listing(folder)
        let below = inside.filter { Self.isKind(.typeDirectory, $0) }.flatMap { (try? listing($0)) ?? [] }
        for level in [inside, below] {
            let files = level.filter { $0.pathExtension.lowercased() == "xml" && Self.mayBeMain($0.lastPathComponent) }
                .filter { Self.isKind(.typeRegular, $0) }
                .compactMap { try? ReadableFile(path: $0.path) }
                .sorted { ($0.size, $1.path) > ($1.size, $0.path) }
            for file in files where ExportProbe.isExport(try file.bytes(at: 0, count: ExportProbe.length)) {
                return file
            }
        }
        throw notAnExport(path, "the folder holds no Apple Health export")
    }

    private func listing(_ folder: URL) throws -> [URL] {
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

    private static func mayBeMain(_ name: String) -> Bool {
        let name = name.lowercased()
        return !name.hasPrefix(".") && !name.hasSuffix("_cda.xml")
            && ![".gpx", ".csv", ".json", ".jpg", ".png", ".pdf"].contains { name.hasSuffix($0) }
    }

    private func notAnExport(_ path: String, _ reason: String) -> SyncFailure {
        SyncFailure(
            .badInput, subject: path, reason: reason,
            advice: "name the export.zip that the Health app writes (Profile, Export All Health Data)")
    }
}
