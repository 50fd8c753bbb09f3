package import HealthSyncPorts

/// Makes what the commands of the receiving side work with.
package struct ReceivingFactory: Sendable {
    /// Serves until the calling task is cancelled; then finishes the requests in hand and returns.
    package var serve: @Sendable (ServeRequest) async throws -> Void
    /// The tokens that belong to a store.
    package var tokens: @Sendable (ReceivedStoreLocation) async throws -> any AccessTokenStore
    /// The hash under which secrets are kept.
    package var hasher: any SecretHasher

    package init(
        serve: @escaping @Sendable (ServeRequest) async throws -> Void,
        tokens: @escaping @Sendable (ReceivedStoreLocation) async throws -> any AccessTokenStore,
        hasher: any SecretHasher
    ) {
        self.serve = serve
        self.tokens = tokens
        self.hasher = hasher
    }
}
