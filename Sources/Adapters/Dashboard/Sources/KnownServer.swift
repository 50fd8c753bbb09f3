/// The server to which the local database is delivered.
package struct KnownServer: Sendable, Hashable {
    /// The base address.
    package var destination: String
    /// Whether it is the configured server; otherwise it is the only one in the database.
    package var isConfigured: Bool

    package init(destination: String, isConfigured: Bool) {
        self.destination = destination
        self.isConfigured = isConfigured
    }
}
