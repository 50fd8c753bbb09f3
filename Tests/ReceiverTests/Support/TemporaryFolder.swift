import Foundation

/// Folders for one test each, in one of this process, which is removed when the process ends: a test of a contract does
/// not see when its store is done.
enum TemporaryFolder {
    private static let root: String = {
        let path = NSTemporaryDirectory() + "healthsync-receiver-tests-\(ProcessInfo.processInfo.processIdentifier)"
        atexit { try? FileManager.default.removeItem(atPath: TemporaryFolder.root) }
        return path
    }()

    /// The path of a new, empty folder.
    static func new() -> String {
        let path = root + "/" + UUID().uuidString
        try? FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        return path
    }
}
