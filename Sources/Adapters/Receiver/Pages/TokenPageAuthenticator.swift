import HealthSyncDomain
package import HealthSyncPorts

/// Accepts viewers who logged in with an access token that has the scope `read`. While a server on loopback has no
/// tokens, it accepts every viewer on this machine.
package struct TokenPageAuthenticator: PageAuthenticator {
    private let authenticator: Authenticator
    private let tokens: any AccessTokenStore
    private let time: any TimeSource
    private let log: any EventLog
    private let isLoopback: Bool
    private let sessions: PageSessions
    private let local: LoopbackPageAuthenticator

    /// - Parameters:
    ///   - authenticator: validates tokens, as for the API.
    ///   - tokens: the same tokens. A session ends when its token is revoked or expires.
    ///   - log: receives the reasons why logins could not be checked.
    ///   - isLoopback: whether only this machine can reach the server, without a proxy.
    package init(
        authenticator: Authenticator, tokens: any AccessTokenStore, hasher: any SecretHasher, random: any RandomSource,
        time: any TimeSource, log: any EventLog, isLoopback: Bool
    ) {
        self.authenticator = authenticator
        self.tokens = tokens
        self.time = time
        self.log = log
        self.isLoopback = isLoopback
        sessions = PageSessions(hasher: hasher, random: random)
        local = LoopbackPageAuthenticator(hasher: hasher, random: random)
    }

    package var supportsLogin: Bool { true }

    package func hostError(in head: RequestHead) -> String? { isLoopback ? local.hostError(in: head) : nil }

    package func authenticate(_ head: RequestHead) async -> PageAuthentication {
        do {
            if let session = sessions.session(of: SessionCookie.value(of: head), at: time.now()) {
                guard let token = try await tokens.token(id: session.tokenID), token.isValid(at: time.now()) else {
                    return .loginRequired
                }
                return .viewer(
                    WebViewer(
                        user: token.user, scopes: token.scopes, hasSession: true, formToken: session.formToken,
                        tokenID: token.id))
            }
            switch try await authenticator.openAdmission(of: head) {
            case .accept: return await local.authenticate(head)
            case .reject(let response):
                return .rejected(status: response.status, reason: "requests from other sites are not allowed")
            case nil: return .loginRequired
            }
        } catch {
            log.note("a page: status 503: \(FailureText.of(error)) (request \(head.number))", level: .error)
            return .rejected(status: 503, reason: "the store is not available")
        }
    }

    package func isValid(formToken: String?, for viewer: WebViewer) -> Bool {
        local.isValid(formToken: formToken, for: viewer)
    }

    package func logIn(token: String, head: RequestHead) async -> String? {
        guard let text = AccessTokenText(token.withoutWhiteSpace) else { return nil }
        do {
            guard let token = try await authenticator.validToken(text, from: head.remoteAddress),
                token.scopes.contains(.read)
            else { return nil }
            return sessions.begin(tokenID: token.id, user: token.user, at: time.now())
        } catch {
            log.note("a login failed: \(FailureText.of(error)) (request \(head.number))", level: .error)
            return nil
        }
    }

    package func logOut(_ head: RequestHead) { sessions.end(SessionCookie.value(of: head)) }
}
