import Foundation
import HealthSyncDomain
package import HealthSyncPorts

/// The export of Apple's Health app.
package struct AppleHealthFormat: HealthSourceFormat {
    private let hasher: any ContentHasher
    private let limits: DecompressionLimits

    /// - Parameters:
    ///   - hasher: digests both ends of an export for its fingerprint.
    ///   - limits: the size to which an archive may be decompressed.
    package init(hasher: any ContentHasher, limits: DecompressionLimits = DecompressionLimits()) {
        self.hasher = hasher
        self.limits = limits
    }

    package var name: String { "Apple Health export (zip, XML or unzipped folder)" }
    package var schemes: [String] { [] }

    /// Returns the export at `location`. In a folder with several exports it is the newest one, and the others are not
    /// read.
    ///
    /// - Throws: `.noInput` or `.badInput` if the export cannot be read.
    package func sources(at location: String, in context: SourceContext) async throws -> FoundSources? {
        try await BlockingWork.run { _ in
            func export(at path: String) -> AppleHealthExport {
                AppleHealthExport(path: path, hasher: hasher, knownTypes: context.types, limits: limits)
            }
            guard try FileStatus(path: location).isFolder else {
                guard try SourceHead(path: location).begins(with: ["<", "P"]) else { return nil }
                _ = try ExportLocator(limits: limits).content(at: location)
                return FoundSources([export(at: location)])
            }
            let folder = try ExportFolder(location, limits: limits)
            guard let newest = folder.exports.first else {
                return folder.unread.isEmpty ? nil : FoundSources(unread: folder.unread)
            }
            // If there was a choice, the report names the chosen export.
            return FoundSources(
                [export(at: folder.exports.count == 1 ? location : newest.path)], unread: folder.unread)
        }
    }
}

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
    fileprivate static func mayBeMain(_ name: String) -> Bool {
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

/// The exports in a folder, in its subfolders and in exports unzipped in those. Each export is complete up to its date,
/// so only the newest is read.
private struct ExportFolder {
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

/// Recognizes Apple Health exports by the first bytes of a file.
private enum ExportProbe {
    /// The number of bytes examined. The element is in the first KiB unless a long comment precedes it.
    static let length = 256 << 10

    /// Returns whether the first markup of `head`, other than comments and instructions, is `<!DOCTYPE HealthData` or
    /// `<HealthData`.
    static func isExport(_ head: [UInt8]) -> Bool {
        let padded = head + [UInt8](repeating: 0, count: ByteWindow.slack)
        return ByteWindow.over(padded, count: head.count, isExport) ?? false
    }

    /// Returns the export date, which precedes the first record in the file.
    static func exportDate(_ head: [UInt8]) -> Instant? {
        let padded = head + [UInt8](repeating: 0, count: ByteWindow.slack)
        var scanner = ExportScanner(
            SampleSelection(types: []), known: SampleTypeTable([]), size: Int64(head.count), receive: { _ in })
        return ByteWindow.over(padded, count: head.count) { window in
            _ = try? scanner.scan(window, isLast: false)
            return scanner.account.exportDate
        } ?? nil
    }

    private static func isExport(_ window: ByteWindow) -> Bool {
        var index = window.firstIndex(of: 0x3C, from: 0)
        while index < window.count {
            let markup: SkippedMarkup
            if begins(window, index, "<!--") {
                markup = .comment
            } else if begins(window, index, "<?") {
                markup = .instruction
            } else if begins(window, index, "<!DOCTYPE") {
                return begins(window, AttributeReader.skipSpace(window, index + 9), "HealthData")
            } else {
                return begins(window, index, "<HealthData")
                    && (AttributeReader.isSpace(window[index + 11]) || [0x3E, 0x2F].contains(window[index + 11]))
            }
            guard let end = markup.end(window, from: index + (markup == .comment ? 4 : 2)).end else { return false }
            index = window.firstIndex(of: 0x3C, from: end)
        }
        return false
    }

    private static func begins(_ window: ByteWindow, _ start: Int, _ text: String) -> Bool {
        let bytes = Array(text.utf8)
        return window.matches(start, bytes, 0, bytes.count)
    }
}

/// The main file of an export.
enum ExportContent {
    /// A plain file.
    case file(ReadableFile)
    /// An entry of an archive.
    case entry(ZipEntry, archive: ReadableFile)

    /// The file on disk.
    var file: ReadableFile {
        switch self {
        case .file(let file): file
        case .entry(_, let archive): archive
        }
    }

    /// The size of the main file in bytes, as the archive states it.
    var size: Int64 {
        switch self {
        case .file(let file): file.size
        case .entry(let entry, _): Int64(clamping: entry.size)
        }
    }

    /// Returns a reader of the main file.
    func reader(limits: DecompressionLimits) throws -> any ByteReader {
        switch self {
        case .file(let file): FileByteReader(file)
        case .entry(let entry, let archive): try ZipEntryReader(entry, in: archive, limits: limits)
        }
    }
}
