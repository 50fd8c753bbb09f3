package import HealthSyncDomain

/// Who looks at a page.
package struct WebViewer: Hashable, Sendable {
    package var user: UserName
    package var scopes: Set<AccessScope>
    /// Whether the viewer logged in, and so can log out.
    package var hasSession: Bool
    /// What every form carries as `WebRequest.formTokenField`, so that no other site can send it. Secret.
    package var formToken: String

    package init(user: UserName, scopes: Set<AccessScope>, hasSession: Bool, formToken: String) {
        self.user = user
        self.scopes = scopes
        self.hasSession = hasSession
        self.formToken = formToken
    }
}
