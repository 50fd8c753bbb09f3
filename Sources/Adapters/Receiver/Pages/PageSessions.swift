import HealthSyncDomain
import HealthSyncPorts
import Synchronization

/// Browsers that logged in. They are forgotten when the server ends; then one logs in again.
final class PageSessions: Sendable {
    /// One of them.
    struct Session {
        var tokenID: String
        var formToken: String
        var endsAt: Instant
    }

    private static let seconds: Int64 = 12 * 3600
    private static let largestTable = 1_000

    private let hasher: any SecretHasher
    private let random: any RandomSource
    // By digest: how long a search takes says nothing about a secret.
    private let sessions = Mutex<[[UInt8]: Session]>([:])

    init(hasher: any SecretHasher, random: any RandomSource) {
        self.hasher = hasher
        self.random = random
    }

    /// Begins a session of twelve hours and returns its secret.
    func begin(tokenID: String, at now: Instant) -> String {
        let secret = PageSecret.text(random)
        let session = Session(
            tokenID: tokenID, formToken: PageSecret.text(random), endsAt: now.advanced(bySeconds: Self.seconds))
        sessions.withLock { sessions in
            sessions = sessions.filter { now < $0.value.endsAt }
            if sessions.count >= Self.largestTable, let oldest = sessions.min(by: { $0.value.endsAt < $1.value.endsAt })
            {
                sessions[oldest.key] = nil
            }
            sessions[digest(secret)] = session
        }
        return secret
    }

    /// The session with that secret, while it lasts.
    func session(of secret: String?, at now: Instant) -> Session? {
        guard let secret, let session = sessions.withLock({ $0[digest(secret)] }), now < session.endsAt else {
            return nil
        }
        return session
    }

    /// Ends the session with that secret.
    func end(_ secret: String?) {
        guard let secret else { return }
        sessions.withLock { $0[digest(secret)] = nil }
    }

    private func digest(_ secret: String) -> [UInt8] { hasher.sha256(Array(secret.utf8)) }
}
