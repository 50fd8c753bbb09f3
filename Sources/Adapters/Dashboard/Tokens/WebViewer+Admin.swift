import HealthSyncDomain
import HealthSyncPorts

extension WebViewer {
    /// Throws unless the viewer may change tokens.
    func requireAdmin() throws(SyncFailure) {
        guard scopes.contains(.admin) else {
            throw SyncFailure(
                .forbidden, subject: "tokens", reason: "the token you logged in with does not have the scope admin",
                advice: "log in with a token that has it, or run healthsync token on the server")
        }
    }
}

extension SyncFailure.Code {
    /// The viewer's token lacks the required scope.
    static let forbidden = Self(rawValue: "forbidden")
}
