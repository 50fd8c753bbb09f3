package import HealthSyncPorts

/// Authenticates the viewers of pages.
package protocol PageAuthenticator: Sendable {
    /// Whether viewers can log in.
    var supportsLogin: Bool { get }
    /// Returns why the `Host` of a request is not accepted, or `nil`. The check keeps other sites from reading pages
    /// through a host name that resolves to this machine (DNS rebinding).
    func hostError(in head: RequestHead) -> String?
    /// Authenticates a request.
    func authenticate(_ head: RequestHead) async -> PageAuthentication
    /// Returns whether `formToken` belongs to the forms of `viewer`.
    func isValid(formToken: String?, for viewer: WebViewer) -> Bool
    /// Starts a session with an access token. Returns the value of its cookie, or `nil` if the token is not valid.
    /// Failed attempts are delayed longer each time.
    func logIn(token: String, head: RequestHead) async -> String?
    /// Ends the session of a request.
    func logOut(_ head: RequestHead)
}

/// The result of authenticating a request for a page.
package enum PageAuthentication: Sendable {
    /// The viewer may see pages.
    case viewer(WebViewer)
    /// The viewer must log in.
    case loginRequired
    /// The request is rejected.
    case rejected(status: Int, reason: String)
}
