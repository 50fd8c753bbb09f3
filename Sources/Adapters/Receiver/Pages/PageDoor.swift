package import HealthSyncPorts

/// Says who may look at pages.
package protocol PageDoor: Sendable {
    /// Whether one can log in.
    var hasLogin: Bool { get }
    /// Why a request under this `Host` is not answered; `nil` where nothing speaks against it. Keeps other sites from
    /// reading pages through a name of theirs that leads to this machine.
    func objection(toHostOf head: RequestHead) -> String?
    /// Who comes.
    func entry(of head: RequestHead) async -> PageEntry
    /// Whether a form that carries `formToken` was made for `viewer`.
    func accepts(formToken: String?, of viewer: WebViewer) -> Bool
    /// Begins a session with an access token; the value of its cookie, or `nil` where the token is not good. A failure
    /// takes longer each time.
    func logIn(token: String, head: RequestHead) async -> String?
    /// Ends the session.
    func logOut(_ head: RequestHead)
}

/// What is done with somebody who comes.
package enum PageEntry: Sendable {
    /// He may look.
    case open(WebViewer)
    /// He is asked for a token.
    case logIn
    /// He is sent away.
    case refused(status: Int, reason: String)
}
