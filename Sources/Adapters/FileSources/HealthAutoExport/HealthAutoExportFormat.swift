import HealthSyncPorts

extension FileFormat {
    /// The JSON files of the app Health Auto Export, or one of its CSV files. `hasher` digests both ends of a file for its fingerprint.
    static func healthAutoExport(hasher: any ContentHasher) -> FileFormat {
        FileFormat("file or folder of Health Auto Export") { path, context, _ in
            let isFeed =
                try FileStatus(path: path).isFolder
                ? try HealthAutoExportFolder(path).paths.contains {
                    let head = try ReadableFile(path: $0).bytes(at: 0, count: SourceHead.length)
                    return HealthAutoExportFile(head).form == .feed
                } : try isHealthAutoExport(Array(SourceHead(path: path).text))
            return isFeed ? [HealthAutoExportSource(path: path, hasher: hasher, clock: context.clock)] : []
        }
    }

    private static func isHealthAutoExport(_ head: [UInt8]) -> Bool {
        HealthAutoExportFile(head).form == .feed || HealthAutoExportCSV(head) != nil
    }
}
