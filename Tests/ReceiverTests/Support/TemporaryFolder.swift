import Foundation

/// Folders for one test each, below the system's folder for temporary files.
enum TemporaryFolder {
    /// The path of a new, empty folder.
    static func new() -> String {
        let path = NSTemporaryDirectory() + "healthsync-" + UUID().uuidString
        try? FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        return path
    }
}
