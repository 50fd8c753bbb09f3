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

extension Set<AccessScope> {
    /// The scopes that `text`, which is stored, names; names that nobody knows are left out.
    package init(stored text: String) {
        self.init(text.split(separator: ",").compactMap { AccessScope(rawValue: String($0)) })
    }

    /// As they are stored: their names in alphabetical order, with commas between them.
    package var stored: String { map(\.rawValue).sorted().joined(separator: ",") }
}
