package import HealthSyncPorts

/// Files with one JSON object per line and one sample per object.
package struct JSONLinesFormat: HealthSourceFormat {
    private let hasher: any ContentHasher

    /// - Parameter hasher: digests both ends of a file for its fingerprint, and finds ids that follow from the content.
    package init(hasher: any ContentHasher) { self.hasher = hasher }

    package var name: String { "JSON Lines file of samples" }
    package var schemes: [String] { [] }

    package func sources(at location: String, in context: SourceContext) async throws -> FoundSources? {
        try await BlockingWork.run { _ in
            guard try !FileStatus(path: location).isFolder, Self.holdsSample(try SourceHead(path: location).text)
            else { return nil }
            return FoundSources([JSONLinesSource(path: location, hasher: hasher)])
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
