package import HealthSyncPorts

/// The JSON files of the app Health Auto Export.
package struct HealthAutoExportFormat: HealthSourceFormat {
    private let hasher: any ContentHasher

    /// - Parameter hasher: digests both ends of a file for its fingerprint.
    package init(hasher: any ContentHasher) { self.hasher = hasher }

    package var name: String { "JSON file or folder of Health Auto Export" }
    package var schemes: [String] { [] }

    package func sources(at location: String, in context: SourceContext) async throws -> FoundSources? {
        try await BlockingWork.run { _ in
            let isFeed =
                try FileStatus(path: location).isFolder
                ? try HealthAutoExportFolder(location).paths.contains {
                    let head = try ReadableFile(path: $0).bytes(at: 0, count: SourceHead.length)
                    return HealthAutoExportFile(head).form == .feed
                } : try HealthAutoExportFile(Array(SourceHead(path: location).text)).form == .feed
            guard isFeed else { return nil }
            return FoundSources([HealthAutoExportSource(path: location, hasher: hasher, clock: context.clock)])
        }
    }
}
