import HealthSyncDomain
import HealthSyncPorts
import Synchronization

/// The sessions of viewers who logged in. They are kept in memory and end with the server.
final class PageSessions: Sendable {
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
