package import Foundation

/// Files of the package, located relative to this source file.
package enum ProjectFile {
    package static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    package static func url(_ path: String) -> URL { root.appendingPathComponent(path) }

    package static func text(_ path: String) throws -> String { try String(contentsOf: url(path), encoding: .utf8) }

    /// The corpora that some machines have next to the package.
    package static var corpora: String {
        ProcessInfo.processInfo.environment["HEALTHSYNC_CORPORA"] ?? url("../shared/corpora").path
    }
}
