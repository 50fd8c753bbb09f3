import HealthSyncDomain
package import HealthSyncPorts
import Synchronization

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

/// The sessions of viewers who logged in. They are kept in memory and end with the server.
private final class PageSessions: Sendable {
    /// The session of a viewer.
    struct Session {
        var tokenID: String
        var user: UserName
        var formToken: String
        var endsAt: Instant
    }

    private static let seconds: Int64 = 12 * 3600
    private static let mostOfUser = 50

    private let hasher: any SecretHasher
    private let random: any RandomSource
    // By digest, so that the duration of a lookup reveals nothing about a secret.
    private let sessions = Mutex<[[UInt8]: Session]>([:])

    init(hasher: any SecretHasher, random: any RandomSource) {
        self.hasher = hasher
        self.random = random
    }

    /// Starts a session of twelve hours and returns its secret. If the user has too many sessions, the oldest one ends.
    func begin(tokenID: String, user: UserName, at now: Instant) -> String {
        let secret = Self.secret(random)
        let session = Session(
            tokenID: tokenID, user: user, formToken: Self.secret(random), endsAt: now.advanced(bySeconds: Self.seconds))
        sessions.withLock { sessions in
            sessions = sessions.filter { now < $0.value.endsAt }
            let own = sessions.filter { $0.value.user == user }
            if own.count >= Self.mostOfUser, let oldest = own.min(by: { $0.value.endsAt < $1.value.endsAt }) {
                sessions[oldest.key] = nil
            }
            sessions[digest(secret)] = session
        }
        return secret
    }

    /// Returns the session with this secret, unless it has expired.
    func session(of secret: String?, at now: Instant) -> Session? {
        guard let secret, let session = sessions.withLock({ $0[digest(secret)] }), now < session.endsAt else {
            return nil
        }
        return session
    }

    /// Ends the session with this secret.
    func end(_ secret: String?) {
        guard let secret else { return }
        sessions.withLock { $0[digest(secret)] = nil }
    }

    /// Returns 256 random bits as 64 hexadecimal digits.
    static func secret(_ random: any RandomSource) -> String { HexDigits.text(random.bytes(32)) }

    private func digest(_ secret: String) -> [UInt8] { hasher.sha256(Array(secret.utf8)) }
}

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

/// The cookie of a session. Browsers send it only to this host and not with requests from other sites, and scripts
/// cannot read it.
enum SessionCookie {
    private static let name = "__Host-healthsync"
    private static let attributes = "Path=/; Secure; HttpOnly; SameSite=Strict"

    /// Returns the header value that sets the cookie.
    static func setting(_ secret: String) -> String { "\(name)=\(secret); \(attributes)" }

    /// The header value that deletes the cookie.
    static var clearing: String { "\(name)=; Max-Age=0; \(attributes)" }

    /// Returns the value of the cookie in a request.
    static func value(of head: RequestHead) -> String? {
        for header in head.values("cookie") {
            for pair in header.parts(separatedBy: ";") {
                let sides = pair.withoutOuterBlanks.parts(separatedBy: "=", maxSplits: 1)
                if sides.count == 2, sides[0].hasSameBytes(as: name) { return String(sides[1]) }
            }
        }
        return nil
    }
}
