import HealthSyncDomain
package import HealthSyncPorts
import Synchronization

/// The token scope that an operation requires.
enum AccessRequirement: Sendable, Hashable {
    /// No token at all.
    case noToken
    /// Any valid token.
    case anyToken
    /// A valid token with this scope.
    case scope(AccessScope)
}

/// Authenticates requests by their bearer token.
package final class Authenticator: Sendable {
    private struct CachedToken {
        var token: AccessToken
        var readAt: Instant
    }

    private struct State {
        var tokens: [String: CachedToken] = [:]
        var hasOpenAccess: (value: Bool, readAt: Instant)?
    }

    private let store: any AccessTokenStore
    private let hasher: any SecretHasher
    private let time: any TimeSource
    private let allowsOpenAccess: Bool
    private let crossOrigin: CrossOriginRules
    private let throttle = FailedLoginThrottle()
    private let state = Mutex(State())

    /// How long a token that another process revoked may remain usable. A client learns of it up to 250 ms later, because
    /// failed logins are delayed.
    package static let cacheMilliseconds: Int64 = 500
    // The last use of a token is stored at most once in this time.
    private static let useIntervalMilliseconds: Int64 = 60_000
    private static let largestCache = 10_000

    /// - Parameters:
    ///   - allowsOpenAccess: whether requests need no token as long as no token exists. Only for a server that listens on
    ///     loopback without a proxy.
    ///   - crossOrigin: the pages of other sites that may send requests without a token.
    package init(
        store: any AccessTokenStore, hasher: any SecretHasher, time: any TimeSource, allowsOpenAccess: Bool,
        crossOrigin: CrossOriginRules = CrossOriginRules()
    ) {
        self.store = store
        self.hasher = hasher
        self.time = time
        self.allowsOpenAccess = allowsOpenAccess
        self.crossOrigin = crossOrigin
    }

    /// Reads all tokens from the store again before they are used.
    package func forgetTokens() { state.withLock { $0 = State() } }

    /// Decides from the cache whether to accept a request; returns `nil` if the store must be read.
    ///
    /// - Parameter pathToken: what the path contains instead of the header `Authorization`.
    func quickAdmission(
        of head: RequestHead, pathToken: String? = nil, for requirement: AccessRequirement
    ) -> Admission? {
        if requirement == .noToken { return .accept(Caller(user: .local, scopes: [])) }
        let now = time.now()
        let text = pathToken.map { AccessTokenText($0) } ?? Self.tokenText(of: head)
        let (hasOpenAccess, cached) = state.withLock { state in
            (
                state.hasOpenAccess.flatMap { isFresh($0.readAt, at: now) ? $0.value : nil },
                text.flatMap { state.tokens[$0.id] }
            )
        }
        guard let hasOpenAccess = allowsOpenAccess ? hasOpenAccess : false else { return nil }
        if hasOpenAccess { return localAdmission(of: head) }
        guard pathToken != nil || head.value("authorization") != nil else {
            return .reject(Self.unauthorized("a token is required"))
        }
        guard let cached, isFresh(cached.readAt, at: now), let text, matches(text, cached.token),
            cached.token.isValid(at: now)
        else { return nil }
        return Self.admission(with: cached.token, for: requirement)
    }

    /// Decides from the store whether to accept a request. Failed attempts are delayed longer each time.
    ///
    /// - Parameter pathToken: what the path contains instead of the header `Authorization`.
    func admission(
        of head: RequestHead, pathToken: String? = nil, for requirement: AccessRequirement
    ) async throws -> Admission {
        if let admission = try await openAdmission(of: head) { return admission }
        guard pathToken != nil || head.value("authorization") != nil else {
            return .reject(Self.unauthorized("a token is required"))
        }
        let text = pathToken.map { AccessTokenText($0) } ?? Self.tokenText(of: head)
        guard let token = try await validToken(text, from: head.remoteAddress) else {
            return .reject(Self.unauthorized("invalid token"))
        }
        return Self.admission(with: token, for: requirement)
    }

    /// Decides on a request to a server that requires no token; returns `nil` if tokens are required.
    func openAdmission(of head: RequestHead) async throws -> Admission? {
        guard allowsOpenAccess else { return nil }
        let now = time.now()
        let hasOpenAccess = try await store.tokens().isEmpty
        state.withLock { $0.hasOpenAccess = (hasOpenAccess, now) }
        return hasOpenAccess ? localAdmission(of: head) : nil
    }

    /// Returns the token with this text, or `nil` if it is not valid. Failed attempts from an address are delayed
    /// longer each time.
    func validToken(_ text: AccessTokenText?, from address: String) async throws -> AccessToken? {
        let now = time.now()
        guard let text, let token = try await store.token(id: text.id), matches(text, token), token.isValid(at: now)
        else {
            try await time.wait(milliseconds: throttle.delayAfterFailure(from: address, at: now))
            return nil
        }
        throttle.reset(address)
        state.withLock { state in
            if state.tokens.count >= Self.largestCache { state.tokens.removeAll() }
            state.tokens[token.id] = CachedToken(token: token, readAt: now)
        }
        if token.lastUsedAt.map({ $0.advanced(byMilliseconds: Self.useIntervalMilliseconds) <= now }) ?? true {
            // The time is only shown: a disk that is full does not reject what can be stored on another one.
            try? await store.recordUse(id: token.id, at: now)
        }
        return token
    }

    private func isFresh(_ readAt: Instant, at now: Instant) -> Bool {
        // A clock that was set back does not extend the time.
        (0..<Self.cacheMilliseconds).contains(now.milliseconds - readAt.milliseconds)
    }

    private func matches(_ text: AccessTokenText, _ token: AccessToken) -> Bool {
        hasher.areEqual(hasher.sha256(text.secret), token.secretDigest)
    }

    private static func tokenText(of head: RequestHead) -> AccessTokenText? {
        head.value("authorization").flatMap(BearerCredentials.token).flatMap { AccessTokenText($0) }
    }

    /// Accepts every request of the local user, except those that a page of another site makes a browser send.
    private func localAdmission(of head: RequestHead) -> Admission {
        if let host = head.host, !Loopback.isHost(host) {
            return .reject(.problem(403, "this server is only available as localhost"))
        }
        if let origin = head.value("origin"), !OriginHeader.isLoopback(origin), !crossOrigin.names(origin) {
            return .reject(.problem(403, "requests from other sites are not allowed"))
        }
        return .accept(Caller(user: .local, scopes: Set(AccessScope.allCases), hasOpenAccess: true))
    }

    private static func admission(with token: AccessToken, for requirement: AccessRequirement) -> Admission {
        guard token.device == nil else {
            return .reject(.problem(403, "the token belongs to a phone, which can only deliver to /inbox"))
        }
        if case .scope(let scope) = requirement, !token.scopes.contains(scope) {
            return .reject(.problem(403, "the token does not have the scope \(scope.rawValue)"))
        }
        return .accept(Caller(user: token.user, scopes: token.scopes, tokenID: token.id))
    }

    /// Returns a response with status 401.
    static func unauthorized(_ title: String) -> HTTPResponse {
        .problem(401, title, headers: [.init("WWW-Authenticate", "Bearer realm=\"healthsync\"")])
    }
}

/// The token in a header `Authorization` (RFC 6750, section 2.1).
enum BearerCredentials {
    /// Returns the token in `Bearer TOKEN`; `nil` for other schemes and forms.
    static func token(in value: String) -> Substring? {
        let parts = value.parts(separatedBy: " ").filter { !$0.isEmpty }
        return parts.count == 2 && parts[0].equalsIgnoringASCIICase("bearer") ? parts[1] : nil
    }
}
