import Foundation

/// A folder of one test, removed with it.
final class TemporaryFolder: Sendable {
    let path: String

    init() throws {
        path = FileManager.default.temporaryDirectory.path + "/healthsync-apple-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// Writes `bytes` as `name` and returns the path.
    func write(_ bytes: some Sequence<UInt8>, as name: String) throws -> String {
        let file = path + "/" + name
        try Data(Array(bytes)).write(to: URL(fileURLWithPath: file))
        return file
    }

    func write(_ text: String, as name: String) throws -> String { try write(text.utf8, as: name) }
}
