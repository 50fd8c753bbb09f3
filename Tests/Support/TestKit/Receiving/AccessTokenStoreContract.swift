import HealthSyncDomain
package import HealthSyncPorts

/// The contract of `AccessTokenStore`.
package enum AccessTokenStoreContract {
    /// Returns the clauses; `make` returns a new, empty store on each call.
    package static func clauses(
        make: @escaping @Sendable () async throws -> any AccessTokenStore
    ) -> [ContractClause] {
        [
            ContractClause("a token is returned as added, and only for its id") {
                let store = try await make()
                let token = try sample("00000000000000aa")
                try await store.add(token)
                try ContractViolation.unlessEqual(try await store.token(id: token.id), token, "token")
                try ContractViolation.unlessEqual(try await store.token(id: "00000000000000ab"), nil, "unknown")
                try ContractViolation.unlessEqual(try await store.tokens(), [token], "tokens")
            },
            ContractClause("a token of a device keeps its device, and has no scopes") {
                let store = try await make()
                var token = try sample("00000000000000aa")
                token.scopes = []
                token.device = UserName("anna-phone")
                try await store.add(token)
                try ContractViolation.unlessEqual(try await store.token(id: token.id), token, "token")
            },
            ContractClause("a token keeps its name, whatever the name looks like, and its address") {
                let store = try await make()
                for (id, name) in [
                    ("00000000000000aa", "Anna’s laptop: read"), ("00000000000000ab", "device:x"),
                    ("00000000000000ac", "from:::1"),
                ] {
                    var token = try sample(id)
                    token.name = TokenName(name)
                    token.address = "fe80::1"
                    try await store.add(token)
                    try ContractViolation.unlessEqual(try await store.token(id: id), token, "token")
                }
            },
            ContractClause("a token is revoked once and remains in the list") {
                let store = try await make()
                let token = try sample("00000000000000aa")
                try await store.add(token)
                let first = ReceivingSamples.now
                try ContractViolation.unlessEqual(try await store.revoke(id: token.id, at: first), true, "first")
                try ContractViolation.unlessEqual(
                    try await store.revoke(id: token.id, at: first.advanced(bySeconds: 9)), false, "second")
                try ContractViolation.unlessEqual(try await store.revoke(id: "none", at: first), false, "unknown")
                try ContractViolation.unlessEqual(try await store.tokens().map(\.revokedAt), [first], "listed")
            },
            ContractClause("the last use never becomes earlier") {
                let store = try await make()
                let token = try sample("00000000000000aa")
                try await store.add(token)
                try await store.recordUse(id: token.id, at: ReceivingSamples.now)
                try await store.recordUse(id: token.id, at: ReceivingSamples.now.advanced(bySeconds: -5))
                try ContractViolation.unlessEqual(
                    try await store.token(id: token.id)?.lastUsedAt, ReceivingSamples.now, "last use")
            },
            ContractClause("a token is revoked with the token that created it, at any distance") {
                let store = try await make()
                var ids = ["00000000000000a0"]
                try await store.add(try sample(ids[0]))
                for number in 1...3 {
                    var child = try sample("00000000000000a\(number)")
                    child.parentID = ids.last
                    try await store.add(child)
                    try ContractViolation.unlessEqual(try await store.token(id: child.id), child, "child")
                    ids.append(child.id)
                }
                var other = try sample("00000000000000b0")
                other.parentID = ids[0]
                try await store.add(other)
                try ContractViolation.unlessEqual(
                    try await store.revoke(id: ids[1], at: ReceivingSamples.now), true, "revoked")
                let revoked = try await store.tokens().filter { $0.revokedAt != nil }.map(\.id).sorted()
                try ContractViolation.unlessEqual(revoked, Array(ids.dropFirst()), "revoked tokens")
                try ContractViolation.unlessEqual(
                    try await store.revoke(id: ids[2], at: ReceivingSamples.now), false, "again")
            },
            ContractClause("a revoked or unknown token creates no other") {
                let store = try await make()
                try await store.add(try sample("00000000000000a0"))
                _ = try await store.revoke(id: "00000000000000a0", at: ReceivingSamples.now)
                for parent in ["00000000000000a0", "00000000000000ff"] {
                    var child = try sample("00000000000000a1")
                    child.parentID = parent
                    do {
                        try await store.add(child)
                    } catch let failure as SyncFailure where failure.code == .storage { continue }
                    throw ContractViolation("a token was added to \(parent)")
                }
                try ContractViolation.unlessEqual(try await store.tokens().count, 1, "tokens")
            },
            ContractClause("an id is unique") {
                let store = try await make()
                try await store.add(try sample("00000000000000aa"))
                do {
                    try await store.add(try sample("00000000000000aa"))
                } catch let failure as SyncFailure where failure.code == .storage { return }
                throw ContractViolation("the same id was added twice")
            },
        ]
    }

    private static func sample(_ id: String) throws -> AccessToken {
        guard let user = UserName("anna") else { throw ContractViolation("anna is not a user name") }
        return AccessToken(
            id: id, secretDigest: (0..<32).map { UInt8($0) }, user: user, scopes: [.ingest, .read],
            createdAt: ReceivingSamples.now, expiresAt: ReceivingSamples.now.advanced(bySeconds: 86_400))
    }
}
