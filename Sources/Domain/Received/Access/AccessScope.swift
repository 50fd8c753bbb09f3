/// What a token allows.
package enum AccessScope: String, Sendable, Codable, CaseIterable {
    /// Send records.
    case ingest
    /// Read records.
    case read
    /// Delete records.
    case delete
    /// Read the server's own figures (`/metrics`); in the browser make and revoke tokens of one's own.
    case admin
}
