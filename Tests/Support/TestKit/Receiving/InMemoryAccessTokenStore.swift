package import HealthSyncDomain
import HealthSyncPorts

/// An `AccessTokenStore` in memory.
package actor InMemoryAccessTokenStore: AccessTokenStore {
    private var stored: [AccessToken] = []

    package init() {}

    package func add(_ token: AccessToken) async throws {
        guard !stored.contains(where: { $0.id == token.id }) else {
            throw SyncFailure(.storage, subject: "token", reason: "the id exists", advice: "create another token")
        }
        guard token.parentID.map({ id in stored.contains { $0.id == id && $0.revokedAt == nil } }) ?? true else {
            throw SyncFailure(
                .storage, subject: "token", reason: "its parent was revoked", advice: "create another token")
        }
        stored.append(token)
    }

    package func token(id: String) async throws -> AccessToken? { stored.first { $0.id == id } }

    package func tokens() async throws -> [AccessToken] { stored.sorted { $0.createdAt < $1.createdAt } }

    package func revoke(id: String, at instant: Instant) async throws -> Bool {
        guard let index = stored.firstIndex(where: { $0.id == id && $0.revokedAt == nil }) else { return false }
        stored[index].revokedAt = instant
        for child in stored where child.parentID == id { _ = try await revoke(id: child.id, at: instant) }
        return true
    }

    package func recordUse(id: String, at instant: Instant) async throws {
        guard let index = stored.firstIndex(where: { $0.id == id }) else { return }
        if stored[index].lastUsedAt.map({ $0 < instant }) ?? true { stored[index].lastUsedAt = instant }
    }
}
