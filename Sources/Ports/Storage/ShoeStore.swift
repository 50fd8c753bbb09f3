package import HealthSyncDomain

/// The collection of shoes and when each was worn.
///
/// Contract (`ShoeStoreContract`): `commit` is one durable transaction; repeating a commit changes nothing. A commit that
/// would make two sessions share time, two active, two shoes default, an archived one default, or name a shoe that is
/// not there is refused as a whole with `.storage`, the code of every other failure of the store too. Nothing is ever
/// removed but the sessions that a commit names.
package protocol ShoeStore: Sendable {
    /// All shoes, archived ones too, in the order in which they were added.
    func shoes() async throws -> [Shoe]
    /// All sessions.
    func sessions() async throws -> ShoeSessions
    /// Of which hours of `days` a person said how shoes were worn.
    func settled(on days: DayRange) async throws -> Set<SettledStretch>
    /// Stores all of `change`: shoes first, then the removal of sessions, then sessions.
    func commit(_ change: ShoeChange) async throws
}
