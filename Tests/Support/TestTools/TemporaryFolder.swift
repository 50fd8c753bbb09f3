package import Foundation

/// A private folder of one test, removed with this value or when the process ends.
package final class TemporaryFolder: Sendable {
    package let path: String

    package init() throws {
        path = Self.root + "/" + UUID().uuidString
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    package func path(of name: String) -> String { path + "/" + name }

    /// Writes `bytes` as `name` and returns the path.
    @discardableResult package func write(_ bytes: some Sequence<UInt8>, as name: String) throws -> String {
        let file = path(of: name)
        // Data.write waits for the disk, which is slow in tests with thousands of files.
        let descriptor = open(file, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        guard descriptor >= 0 else { throw POSIXError(.EIO) }
        try FileHandle(fileDescriptor: descriptor, closeOnDealloc: true).write(contentsOf: Data(Array(bytes)))
        return file
    }

    @discardableResult package func write(_ text: String, as name: String) throws -> String {
        try write(text.utf8, as: name)
    }

    package func contents(of name: String) throws -> Data {
        try Data(contentsOf: URL(fileURLWithPath: path(of: name)))
    }

    package func names() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: path).sorted() }

    /// Returns the path of a new folder that exists until this process ends. The test of a contract does not know when
    /// its store is no longer used.
    package static func untilExit() -> String {
        let path = root + "/" + UUID().uuidString
        try? FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        return path
    }

    private static let root: String = {
        atexit { try? FileManager.default.removeItem(atPath: TemporaryFolder.root) }
        return FileManager.default.temporaryDirectory.path
            + "/healthsync-tests-\(ProcessInfo.processInfo.processIdentifier)"
    }()
}
