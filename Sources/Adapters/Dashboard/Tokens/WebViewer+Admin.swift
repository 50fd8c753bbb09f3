import HealthSyncDomain
import HealthSyncPorts

extension WebViewer {
    /// Throws unless the viewer may change tokens.
    func requireAdmin() throws(SyncFailure) {
        guard scopes.contains(.admin) else {
            throw SyncFailure(
                .forbidden, subject: "tokens", reason: "the token you logged in with does not allow admin",
                advice: "log in with one that does, or use healthsync token on the server")
        }
    }
}

extension SyncFailure.Code {
    /// The failure of a viewer who lacks the scope.
    static let forbidden = Self(rawValue: "forbidden")
}
