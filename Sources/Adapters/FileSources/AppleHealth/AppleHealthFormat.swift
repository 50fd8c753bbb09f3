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
