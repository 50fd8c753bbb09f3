import Foundation
import HealthSyncPorts

extension FileFormat {
    /// The files that Hozz for iOS writes into a folder, one for each batch, as JSON lines. Each file is a source of its
    /// own, so a file that was imported is not read again. `hasher` digests both ends of a file for its fingerprint.
    static func hozz(hasher: any ContentHasher) -> FileFormat {
        FileFormat("file or folder of Hozz") { path, context, cancellation in
            let paths = try FileStatus(path: path).isFolder ? hozzFiles(in: path) : [path]
            return try paths.filter { path in
                try cancellation.check()
                return try holdsHozzRecord(path)
            }
            .map { HozzFileSource(path: $0, context: context, hasher: hasher) }
        }
    }

    /// Returns the `.ndjson` files of a folder by name, which begins with the time of the batch.
    private static func hozzFiles(in folder: String) throws -> [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.filter { !$0.hasPrefix(".") && $0.lowercased().hasSuffix(".ndjson") }.sorted()
            .map { folder + "/" + $0 }
            .filter { (try? FileStatus(path: $0).isRegular) ?? false }
    }

    /// Whether one of the first lines, or the first element of an array, has the members of a record of Hozz.
    private static func holdsHozzRecord(_ path: String) throws -> Bool {
        try SourceHead(path: path).text.split(separator: 0x0A).prefix(100).contains { line in
            let outline = BodyStart(line)
            return outline.has("kind") && outline.has("schemaVersion")
        }
    }
}
