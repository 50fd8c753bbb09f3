import HealthSyncDomain
package import HealthSyncPorts
import Synchronization

/// Says in whose name a request is made, by its bearer token.
package final class Authenticator: Sendable {
    private struct Known {
        var token: AccessToken
        var readAt: Instant
    }

    private struct State {
        var tokens: [String: Known] = [:]
        var isOpen: (value: Bool, readAt: Instant)?
    }

    private let store: any AccessTokenStore
    private let hasher: any SecretHasher
    private let time: any TimeSource
    private let mayBeOpen: Bool
    private let throttle = FailedLoginThrottle()
    private let state = Mutex(State())

    // How long a token that was revoked by another process may still open anything.
    private static let cacheMilliseconds: Int64 = 1_000
    private static let useNotedEvery: Int64 = 60_000
    private static let largestCache = 10_000

    /// - Parameter mayBeOpen: whether the server listens on loopback only and no proxy stands before it, so that it
    ///   needs no token as long as there is none.
    package init(
        store: any AccessTokenStore, hasher: any SecretHasher, time: any TimeSource, mayBeOpen: Bool
    ) {
        self.store = store
        self.hasher = hasher
        self.time = time
        self.mayBeOpen = mayBeOpen
    }

    /// What can be said without a look into the store; `nil` where one is needed.
    func quickAdmission(of head: RequestHead, for requirement: Operation.Requirement) -> Admission? {
        if requirement == .nothing { return .accept(Caller(user: .local, scopes: [])) }
        let now = time.now()
        let (isOpen, known) = state.withLock { state in
            (
                state.isOpen.flatMap { isFresh($0.readAt, at: now) ? $0.value : nil },
                tokenText(of: head).flatMap { state.tokens[$0.id] }
            )
        }
        guard let isOpen = mayBeOpen ? isOpen : false else { return nil }
        if isOpen { return admitLocal(head) }
        guard head.value("authorization") != nil else { return .refuse(Self.unauthorized("a token is needed")) }
        guard let known, isFresh(known.readAt, at: now), let text = tokenText(of: head),
            matches(text, known.token), known.token.isGood(at: now)
        else { return nil }
        return admit(known.token, for: requirement)
    }

    /// The same after a look into the store. A failed login takes longer each time.
    func admission(of head: RequestHead, for requirement: Operation.Requirement) async throws -> Admission {
        let now = time.now()
        if mayBeOpen {
            let isOpen = try await store.tokens().isEmpty
            state.withLock { $0.isOpen = (isOpen, now) }
            if isOpen { return admitLocal(head) }
        }
        guard head.value("authorization") != nil else { return .refuse(Self.unauthorized("a token is needed")) }
        guard let text = tokenText(of: head), let token = try await store.token(id: text.id), matches(text, token),
            token.isGood(at: now)
        else {
            try await time.wait(milliseconds: throttle.delayAfterFailure(from: head.remoteAddress, at: now))
            return .refuse(Self.unauthorized("this token is not good"))
        }
        throttle.forget(head.remoteAddress)
        state.withLock { state in
            if state.tokens.count >= Self.largestCache { state.tokens.removeAll() }
            state.tokens[token.id] = Known(token: token, readAt: now)
        }
        if token.lastUsedAt.map({ $0.advanced(byMilliseconds: Self.useNotedEvery) <= now }) ?? true {
            try await store.noteUse(id: token.id, at: now)
        }
        return admit(token, for: requirement)
    }

    private func isFresh(_ readAt: Instant, at now: Instant) -> Bool {
        now < readAt.advanced(byMilliseconds: Self.cacheMilliseconds)
    }

    private func matches(_ text: AccessTokenText, _ token: AccessToken) -> Bool {
        hasher.areEqual(hasher.sha256(text.secret), token.secretDigest)
    }

    private func tokenText(of head: RequestHead) -> AccessTokenText? {
        guard let value = head.value("authorization") else { return nil }
        let parts = value.split(separator: " ", omittingEmptySubsequences: true)
        guard parts.count == 2, parts[0].lowercased() == "bearer" else { return nil }
        return AccessTokenText(parts[1])
    }

    /// Everything is allowed to the machine's own user, but not to pages in his browser that come from elsewhere.
    private func admitLocal(_ head: RequestHead) -> Admission {
        if let host = head.value("host"), !Loopback.isHost(host) {
            return .refuse(.problem(403, "this server answers under localhost only"))
        }
        if let origin = head.value("origin"), !Self.isLoopbackOrigin(origin) {
            return .refuse(.problem(403, "requests from other sites are refused"))
        }
        return .accept(Caller(user: .local, scopes: Set(AccessScope.allCases), isOnOpenServer: true))
    }

    private static func isLoopbackOrigin(_ origin: String) -> Bool {
        guard let host = origin.split(separator: "/", omittingEmptySubsequences: true).last, origin.contains("://")
        else { return false }
        return Loopback.isHost(String(host))
    }

    private func admit(_ token: AccessToken, for requirement: Operation.Requirement) -> Admission {
        if case .scope(let scope) = requirement, !token.scopes.contains(scope) {
            return .refuse(.problem(403, "this token does not allow \(scope.rawValue)"))
        }
        return .accept(Caller(user: token.user, scopes: token.scopes))
    }

    private static func unauthorized(_ title: String) -> HTTPResponse {
        .problem(401, title, headers: [.init("WWW-Authenticate", "Bearer realm=\"healthsync\"")])
    }
}
