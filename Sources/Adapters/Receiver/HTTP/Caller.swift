package import HealthSyncDomain

/// In whose name a request is made, and what it may do.
package struct Caller: Hashable, Sendable {
    package var user: UserName
    package var scopes: Set<AccessScope>

    package init(user: UserName, scopes: Set<AccessScope>) {
        self.user = user
        self.scopes = scopes
    }
}
