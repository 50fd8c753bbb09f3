/// A permission of an access token.
package enum AccessScope: String, Sendable, Codable, CaseIterable {
    /// Send records.
    case ingest
    /// Read records.
    case read
    /// Delete records.
    case delete
    /// Fetch the posts of the user's phones, and confirm them, which deletes them from the server.
    case inbox
    /// Read the server's metrics (`/metrics`), and create and revoke the user's own tokens in the browser.
    case admin

    /// What a client needs that delivers a user's records: it also deletes those that no longer exist.
    package static let ofClients: Set<AccessScope> = [.ingest, .read, .delete]
}

extension Set<AccessScope> {
    /// Reads scopes as they are stored (`AccessToken.storedScopes`). Unknown names are ignored.
    package init(stored text: String) {
        self.init(AccessToken.permissions(stored: text).compactMap { AccessScope(rawValue: String($0)) })
    }
}
