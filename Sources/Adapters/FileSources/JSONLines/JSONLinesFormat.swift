import HealthSyncPorts

extension FileFormat {
    /// Files with one JSON object per line and one sample per object. `hasher` digests both ends of a file for its
    /// fingerprint, and finds ids that follow from the content.
    static func jsonLines(hasher: any ContentHasher) -> FileFormat {
        FileFormat("JSON Lines file of samples") { path, _, _ in
            guard try !FileStatus(path: path).isFolder, holdsSample(try SourceHead(path: path).text) else { return [] }
            return [JSONLinesSource(path: path, hasher: hasher)]
        }
    }

    /// Returns whether one of the first lines is an object with a member that only samples have.
    private static func holdsSample(_ text: ArraySlice<UInt8>) -> Bool {
        text.split(separator: 0x0A).prefix(100).contains { line in
            var cursor = JSONCursor(Array(line))
            do throws(JSONCursor.Broken) {
                guard try cursor.enterObject() else { return false }
                var isFirst = true
                while let name = try cursor.nextMember(first: isFirst) {
                    if name == "startDate" || name == "sourceBundleId" { return true }
                    isFirst = false
                    _ = try cursor.skipValue()
                }
                return false
            } catch {
                return false
            }
        }
    }
}
