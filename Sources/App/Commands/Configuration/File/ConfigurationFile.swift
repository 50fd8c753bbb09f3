package import HealthSyncDomain

/// A parsed configuration file, with the location of each value.
package struct ConfigurationFile: Sendable {
    package let path: String
    package let configuration: Configuration
    private let root: ConfigurationNode

    /// Parses `bytes`, the content of the file at `path`. Throws `.configuration` with the location of the error.
    package init(_ bytes: [UInt8], path: String) throws(SyncFailure) {
        let text = ConfigurationText(file: path, bytes: bytes)
        do {
            root = ConfigurationNode(text: text, path: "", element: try JSONParser.document(bytes))
        } catch {
            throw .configuration(
                text.location(of: error.offset), "invalid JSON: \(error.reason)", advice: error.advice)
        }
        configuration = try ConfigurationReader.read(root)
        self.path = path
    }

    /// Returns the file, line, column and path of the value at `key`, such as `server.url` or `timeZones[0].zone`.
    func subject(_ key: String) -> String { (root.descendant(key) ?? root).subject }
}
