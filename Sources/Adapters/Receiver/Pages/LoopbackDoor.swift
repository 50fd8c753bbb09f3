import HealthSyncDomain
package import HealthSyncPorts

/// Lets in who sits at this machine: its own browser, under a name of the loopback.
package struct LoopbackDoor: PageDoor {
    private let hasher: any SecretHasher
    private let viewer: WebViewer

    /// A door with a form token of its own.
    package init(hasher: any SecretHasher, random: any RandomSource) {
        self.hasher = hasher
        viewer = WebViewer(
            user: .local, scopes: Set(AccessScope.allCases), hasSession: false, formToken: PageSecret.text(random))
    }

    package var hasLogin: Bool { false }

    package func objection(toHostOf head: RequestHead) -> String? { Self.objection(toHostOf: head) }

    package func entry(of head: RequestHead) async -> PageEntry { .open(viewer) }

    package func accepts(formToken: String?, of viewer: WebViewer) -> Bool {
        formToken.map { hasher.areEqual(Array($0.utf8), Array(viewer.formToken.utf8)) } ?? false
    }

    package func logIn(token: String, head: RequestHead) async -> String? { nil }

    package func logOut(_ head: RequestHead) {}

    static func objection(toHostOf head: RequestHead) -> String? {
        guard let host = head.value("host"), Loopback.isHost(host) else {
            return "this server answers under localhost only"
        }
        return nil
    }
}
