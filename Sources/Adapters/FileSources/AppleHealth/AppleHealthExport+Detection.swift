package import HealthSyncDomain
package import HealthSyncPorts

extension AppleHealthExport {
    /// The export at `path`, or `nil` for a folder that holds none. A file that is no readable export throws what is
    /// wrong with it: `.noInput` or `.badInput`.
    package static func detected(
        at path: String, hasher: any ContentHasher, knownTypes: SampleTypeTable,
        limits: DecompressionLimits = DecompressionLimits()
    ) throws -> AppleHealthExport? {
        let export = AppleHealthExport(path: path, hasher: hasher, knownTypes: knownTypes, limits: limits)
        do {
            _ = try ExportLocator(limits: limits).content(at: path)
            return export
        } catch let failure as SyncFailure {
            guard failure.code == .badInput, try FileStatus(path: path).isFolder else { throw failure }
            return nil
        }
    }
}
