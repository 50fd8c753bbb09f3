import Foundation

/// A folder of one test, removed with it.
final class TemporaryFolder: Sendable {
    let path: String

    init() throws {
        path = FileManager.default.temporaryDirectory.path + "/healthsync-feeds-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// Writes `bytes` as `name` and returns the path.
    func write(_ bytes: some Sequence<UInt8>, as name: String) throws -> String {
        let file = path + "/" + name
        // Data.write waits for the disk, thousands of times in a test of thousands of files.
        let descriptor = open(file, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        guard descriptor >= 0 else { throw POSIXError(.EIO) }
        try FileHandle(fileDescriptor: descriptor, closeOnDealloc: true).write(contentsOf: Data(Array(bytes)))
        return file
    }

    func write(_ text: String, as name: String) throws -> String { try write(text.utf8, as: name) }
}
