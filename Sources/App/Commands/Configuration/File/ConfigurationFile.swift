package import HealthSyncDomain

/// The configuration file as it was read: what it says, and where.
package struct ConfigurationFile: Sendable {
    package let path: String
    package let configuration: Configuration
    private let root: ConfigurationNode

    /// Reads `bytes`, the content of the file at `path`.
    package init(_ bytes: [UInt8], path: String) throws(SyncFailure) {
        let text = ConfigurationText(file: path, bytes: bytes)
        do {
            root = ConfigurationNode(text: text, path: "", element: try JSONParser.document(bytes))
        } catch {
            throw .configuration(
                text.place(error.offset), "is no JSON document: \(error.reason)", advice: error.advice)
        }
        configuration = try ConfigurationReader.read(root)
        self.path = path
    }

    /// The file, line, column and way to the value at `key`, `server.url` or `timeZones[0].zone`.
    func subject(_ key: String) -> String { (root.descendant(key) ?? root).subject }
}
