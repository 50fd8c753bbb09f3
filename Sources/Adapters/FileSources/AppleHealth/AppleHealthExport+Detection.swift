package import HealthSyncDomain
package import HealthSyncPorts

extension AppleHealthExport {
    /// The export at `path`; of a folder with several the newest, and what is not read beside it. Nothing for a folder
    /// that holds none.
    ///
    /// Throws what is wrong with a file that is no readable export: `.noInput` or `.badInput`.
    package static func found(
        at path: String, hasher: any ContentHasher, knownTypes: SampleTypeTable,
        limits: DecompressionLimits = DecompressionLimits()
    ) throws -> FoundSources {
        func export(at path: String) -> AppleHealthExport {
            AppleHealthExport(path: path, hasher: hasher, knownTypes: knownTypes, limits: limits)
        }
        guard try FileStatus(path: path).isFolder else {
            _ = try ExportLocator(limits: limits).content(at: path)
            return FoundSources([export(at: path)])
        }
        let folder = try ExportFolder(path, limits: limits)
        guard let newest = folder.exports.first else { return FoundSources(unread: folder.unread) }
        // Where there is a choice, what was chosen is named.
        return FoundSources(
            [export(at: folder.exports.count == 1 ? path : newest.path)], unread: folder.unread)
    }
}
