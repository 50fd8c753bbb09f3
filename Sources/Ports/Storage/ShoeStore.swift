package import HealthSyncDomain

/// The collection of shoes and when each was worn.
///
/// Contract (`ShoeStoreContract`): `commit` is one durable transaction; repeating a commit changes nothing. A commit that
/// would make two sessions share time, two active, two shoes default, an archived one default, or name a shoe that is
/// not there is refused as a whole with `.storage`, the code of every other failure of the store too. Nothing is ever
/// removed but the sessions and shoes that a commit names, and what is remembered of a day: that is gone with the transaction that
/// changes anything it may follow from (a session, a page or a record of progress of that day), and earlier if the store
/// likes; some remember nothing.
package protocol ShoeStore: Sendable {
    /// All shoes, archived ones too, in the order in which they were added.
    func shoes() async throws -> [Shoe]
    /// All sessions.
    func sessions() async throws -> ShoeSessions
    /// Of which hours of `days` a person said how shoes were worn.
    func settled(on days: DayRange) async throws -> Set<SettledStretch>
    /// Stores all of `change`: shoes first, then the removal of sessions and of shoes, then sessions.
    func commit(_ change: ShoeChange) async throws
    /// What was walked in which shoes on those of `days` of which that is remembered as worked out by `rules`, ascending.
    func attributedDays(of days: DayRange, by rules: ContentDigest) async throws -> [AttributedDay]
    /// Remembers what `days` come to by `rules`. Only for who alone changes the database, so that nothing has changed since
    /// it was worked out.
    func remember(_ days: [AttributedDay], by rules: ContentDigest) async throws
}
