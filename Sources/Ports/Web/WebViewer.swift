package import HealthSyncDomain

/// The viewer of a page.
package struct WebViewer: Hashable, Sendable {
    package var user: UserName
    package var scopes: Set<AccessScope>
    /// Whether the viewer logged in, and therefore can log out.
    package var hasSession: Bool
    /// The secret that every form contains as `WebRequest.formTokenField`, so that other sites cannot send it.
    package var formToken: String
    /// The id of the token with which the viewer logged in; `nil` without a login.
    package var tokenID: String?

    package init(
        user: UserName, scopes: Set<AccessScope>, hasSession: Bool, formToken: String, tokenID: String? = nil
    ) {
        self.user = user
        self.scopes = scopes
        self.hasSession = hasSession
        self.formToken = formToken
        self.tokenID = tokenID
    }
}
