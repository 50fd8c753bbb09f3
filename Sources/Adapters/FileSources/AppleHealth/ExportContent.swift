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
