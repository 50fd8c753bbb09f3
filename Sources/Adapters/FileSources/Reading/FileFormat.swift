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

/// The beginning of a file, by which its format is recognized.
struct SourceHead {
    // Enough for an XML prologue and for the first members of a JSON object.
    static let length = 1 << 16

    /// The bytes after a byte order mark and leading white space.
    let text: ArraySlice<UInt8>

    init(path: String) throws {
        let head = try ReadableFile(path: path).bytes(at: 0, count: Self.length)
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        text = head.dropFirst(head.starts(with: mark) ? mark.count : 0).drop { $0 <= 0x20 }
    }

    /// Returns whether the text begins with one of `characters`.
    func begins(with characters: [Unicode.Scalar]) -> Bool {
        text.first.map { first in characters.contains { UInt8(ascii: $0) == first } } ?? false
    }
}
