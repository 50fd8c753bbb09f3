import HealthSyncDomain
package import HealthSyncPorts

/// Accepts every viewer on this machine: requests whose `Host` is a loopback name or address.
package struct LoopbackPageAuthenticator: PageAuthenticator {
    private let hasher: any SecretHasher
    private let viewer: WebViewer

    /// Creates an authenticator with a new form token.
    package init(hasher: any SecretHasher, random: any RandomSource) {
        self.hasher = hasher
        viewer = WebViewer(
            user: .local, scopes: Set(AccessScope.allCases), hasSession: false,
            formToken: PageSessions.secret(random))
    }

    package var supportsLogin: Bool { false }

    package func hostError(in head: RequestHead) -> String? {
        guard let host = head.host, Loopback.isHost(host) else {
            return "this server is only available as localhost"
        }
        return nil
    }

    package func authenticate(_ head: RequestHead) async -> PageAuthentication { .viewer(viewer) }

    package func isValid(formToken: String?, for viewer: WebViewer) -> Bool {
        formToken.map { hasher.areEqual(Array($0.utf8), Array(viewer.formToken.utf8)) } ?? false
    }

    package func logIn(token: String, head: RequestHead) async -> String? { nil }

    package func logOut(_ head: RequestHead) {}
}
