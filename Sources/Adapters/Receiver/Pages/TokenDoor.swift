import HealthSyncDomain
package import HealthSyncPorts

/// Lets in who logs in with an access token that allows reading, and, as long as a server of the loopback has no tokens,
/// who sits at its machine.
package struct TokenDoor: PageDoor {
    private let authenticator: Authenticator
    private let tokens: any AccessTokenStore
    private let hasher: any SecretHasher
    private let time: any TimeSource
    private let log: any EventLog
    private let isLoopback: Bool
    private let sessions: PageSessions
    private let local: LoopbackDoor

    /// - Parameters:
    ///   - authenticator: judges tokens, as it does for the API.
    ///   - tokens: the same tokens; a session ends when its token is revoked.
    ///   - log: told why a login could not be judged.
    ///   - isLoopback: whether only this machine reaches the server, and no proxy stands before it.
    package init(
        authenticator: Authenticator, tokens: any AccessTokenStore, hasher: any SecretHasher, random: any RandomSource,
        time: any TimeSource, log: any EventLog, isLoopback: Bool
    ) {
        self.authenticator = authenticator
        self.tokens = tokens
        self.hasher = hasher
        self.time = time
        self.log = log
        self.isLoopback = isLoopback
        sessions = PageSessions(hasher: hasher, random: random)
        local = LoopbackDoor(hasher: hasher, random: random)
    }

    package var hasLogin: Bool { true }

    package func objection(toHostOf head: RequestHead) -> String? {
        isLoopback ? LoopbackDoor.objection(toHostOf: head) : nil
    }

    package func entry(of head: RequestHead) async -> PageEntry {
        do {
            if let session = sessions.session(of: SessionCookie.value(of: head), at: time.now()) {
                guard let token = try await tokens.token(id: session.tokenID), token.isGood(at: time.now()) else {
                    return .logIn
                }
                return .open(
                    WebViewer(
                        user: token.user, scopes: token.scopes, hasSession: true, formToken: session.formToken))
            }
            var anonymous = head
            anonymous.headers.removeAll { $0.name == "authorization" }
            switch try await authenticator.admission(of: anonymous, for: .anyToken) {
            case .accept: return await local.entry(of: head)
            case .refuse(let response) where response.status == 401: return .logIn
            case .refuse(let response):
                return .refused(status: response.status, reason: "requests from other sites are refused")
            }
        } catch {
            log.note("a page was answered 503: \(FailureText.of(error))", isDetail: false)
            return .refused(status: 503, reason: "the store cannot answer now")
        }
    }

    package func accepts(formToken: String?, of viewer: WebViewer) -> Bool {
        local.accepts(formToken: formToken, of: viewer)
    }

    package func logIn(token: String, head: RequestHead) async -> String? {
        var bearer = head
        bearer.headers.removeAll { $0.name == "authorization" }
        let text = token.filter { !$0.isWhitespace }
        bearer.headers.append(.init("authorization", "Bearer \(text)"))
        guard let id = AccessTokenText(text)?.id else { return nil }
        do {
            guard case .accept = try await authenticator.admission(of: bearer, for: .scope(.read)) else { return nil }
            return sessions.begin(tokenID: id, at: time.now())
        } catch {
            log.note("a login was refused: \(FailureText.of(error))", isDetail: false)
            return nil
        }
    }

    package func logOut(_ head: RequestHead) { sessions.end(SessionCookie.value(of: head)) }
}
