package import HealthSyncPorts

/// Creates the objects that the commands of the receiving server use.
package struct ReceivingFactory: Sendable {
    /// Serves until the calling task is cancelled, then completes pending requests and returns.
    package var serve: @Sendable (ServeRequest) async throws -> Void
    /// Opens the tokens of a store.
    package var tokens: @Sendable (ReceivedStoreLocation) async throws -> any AccessTokenStore
    /// Hashes secrets before they are stored.
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
