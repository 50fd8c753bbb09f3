import Foundation

/// Files of the package, found from this source file.
enum ProjectFile {
    static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().path

    static func text(_ path: String) throws -> String {
        try String(contentsOfFile: root + "/" + path, encoding: .utf8)
    }

    /// The corpora that some machines have beside the package.
    static var corpora: String {
        ProcessInfo.processInfo.environment["HEALTHSYNC_CORPORA"] ?? root + "/../shared/corpora"
    }
}
