package import HealthSyncDomain

/// The collection of shoes and their sessions.
///
/// Contract (`ShoeStoreContract`): `commit` is one durable transaction; repeating a commit changes nothing. A commit
/// is rejected as a whole with `.storage` (the code of all other failures too) if two sessions would overlap or be
/// active, two shoes or an archived shoe would be the default, or a session would refer to a shoe that does not
/// exist. Only the sessions and shoes named by a commit are ever deleted. Cached days are deleted in the transaction
/// that changes any of their inputs (a session, a page or a record of progress of that day). A store may delete them
/// earlier, or cache nothing.
package protocol ShoeStore: Sendable {
    /// Returns all shoes, including archived ones, in the order in which they were added.
    func shoes() async throws -> [Shoe]
    /// Returns all sessions.
    func sessions() async throws -> ShoeSessions
    /// Returns the hours of `days` that the user assigned or cleared.
    func settled(on days: DayRange) async throws -> Set<SettledHours>
    /// Stores `change` in this order: shoes, deletions of sessions and of shoes, sessions.
    func commit(_ change: ShoeChange) async throws
    /// Returns the cached days of `days` that were computed with `rules`, ascending.
    func attributedDays(of days: DayRange, by rules: ContentDigest) async throws -> [AttributedDay]
    /// Caches `days` computed with `rules`. Only the process that may change the database calls this, so nothing has
    /// changed since the days were computed.
    func remember(_ days: [AttributedDay], by rules: ContentDigest) async throws
}
