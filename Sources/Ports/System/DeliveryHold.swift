/// The user's wish that nothing is sent for the time being; holds for every run until it is taken back.
///
/// Contract: safe from any process and thread; `isSet` returns at once and is asked before every request.
package protocol DeliveryHold: Sendable {
    /// Whether nothing is to be sent.
    func isSet() -> Bool
    /// Begins it; throws `SyncFailure` with `.cannotCreate`. Safe to repeat.
    func set() throws
    /// Ends it and says whether it was set; throws `SyncFailure` with `.storage`.
    func clear() throws -> Bool
}
