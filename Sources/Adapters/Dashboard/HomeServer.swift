/// The server to which the local database is delivered.
package struct HomeServer: Sendable, Hashable {
    /// Its base address.
    package var destination: String
    /// Whether it is the configured one; else it is the only one that the database knows.
    package var isConfigured: Bool

    package init(destination: String, isConfigured: Bool) {
        self.destination = destination
        self.isConfigured = isConfigured
    }
}
