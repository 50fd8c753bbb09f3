import HealthSyncPorts

/// A format whose files are recognized by their beginning, given by a path and not by a URL.
struct FileFormat: HealthSourceFormat {
    /// Returns the sources at a path; empty if they are of another format.
    typealias Finder =
        @Sendable (_ path: String, _ context: SourceContext, _ cancellation: CancellationFlag) throws
        -> [any HealthDataSource]

    let name: String
    let find: Finder

    init(_ name: String, find: @escaping Finder) {
        self.name = name
        self.find = find
    }

    var schemes: [String] { [] }

    func sources(at location: String, in context: SourceContext) async throws -> FoundSources? {
        try await BlockingWork.run { cancellation in
            let found = try find(location, context, cancellation)
            return found.isEmpty ? nil : FoundSources(found)
        }
    }
}
