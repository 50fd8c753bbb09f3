package import HealthSyncDomain

/// The user's current offer to pair an app that asks for a token of its own, such as Hozz. At most one exists.
///
/// Contract (`PairingOffersContract` in HealthSyncTestKit checks it): visible to every process that uses the data folder. It
/// contains no secret. Failures are `SyncFailure` with `.storage` or `.cannotCreate`.
package protocol PairingOffers: Sendable {
    /// Returns the offer, whether or not it has ended; `nil` without one.
    func current() throws -> PairingOffer?
    /// Lets `body` change the offer; `nil` removes it. Of several changes at once, also by other processes, each sees the
    /// result of the one before it. If `body` throws, nothing changes.
    func change<Result>(_ body: (inout PairingOffer?) throws -> Result) throws -> Result
}
