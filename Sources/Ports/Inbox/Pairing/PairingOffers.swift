package import HealthSyncDomain

/// The user's offer to pair an app that asks for a token of its own, such as Hozz.
///
/// Contract: an offer is taken once, also by several processes. It contains no secret. Failures are `SyncFailure` with
/// `.storage` or `.cannotCreate`.
package protocol PairingOffers: Sendable {
    /// Offers to pair a device called `name` until `end`. Replaces an earlier offer.
    func offer(_ name: UserName, until end: Instant) throws
    /// Ends the offer and returns its name; `nil` without an offer, or if it has ended.
    func take(at now: Instant) throws -> UserName?
}
