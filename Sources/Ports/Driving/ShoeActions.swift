package import HealthSyncDomain

/// Executes the actions of the user on shoes. Each is one durable transaction; if it throws, nothing was changed.
package protocol ShoeActions: Sendable {
    /// Executes `action`.
    ///
    /// - Throws: The failures of the action, `.busy` while another run changes the database, and `.storage`.
    func run<Result: Sendable>(_ action: ShoeAction<Result>) async throws -> Result
}

/// The read access of pages and commands to shoes and their figures. Changes nothing and may be used during a run, of
/// which it sees only complete transactions. Failures of the store are `SyncFailure` with `.storage`.
package protocol ShoeReader: Sendable {
    /// Returns all shoes and sessions, with the totals of all shoes that were worn.
    func shoeCollection() async throws -> ShoeCollection
    /// Returns all shoes in the order in which they were added, including archived ones.
    func all() async throws -> [Shoe]
    /// Returns the figures on `days` of the shoes worn then, in the order in which the shoes were added.
    func worn(on days: DayRange) async throws -> [(shoe: Shoe, figures: WalkFigures)]
    /// Returns a day by hour, and all shoes including archived ones, for their names.
    func journal(of day: CalendarDay) async throws -> (journal: ShoeJournal, shoes: [Shoe])
}
