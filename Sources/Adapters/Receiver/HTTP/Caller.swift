package import HealthSyncDomain

/// In whose name a request is made, and what it may do.
package struct Caller: Hashable, Sendable {
    package var user: UserName
    package var scopes: Set<AccessScope>
    /// Whether nobody is asked for a token.
    package var isOnOpenServer: Bool

    package init(user: UserName, scopes: Set<AccessScope>, isOnOpenServer: Bool = false) {
        self.user = user
        self.scopes = scopes
        self.isOnOpenServer = isOnOpenServer
    }
}
