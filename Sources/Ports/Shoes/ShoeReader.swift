package import HealthSyncDomain

/// What was walked in which shoes: what pages and commands show. Changes nothing, and works beside a run that does, of
/// which it sees whole transactions. Failures of the store are `SyncFailure` with `.storage`.
package protocol ShoeReader: Sendable {
    /// All shoes and sessions, with totals of all shoes that were worn.
    func shoeCollection() async throws -> ShoeCollection
    /// A day by hours, and all shoes, archived ones too, for their names.
    func journal(of day: CalendarDay) async throws -> (journal: ShoeJournal, shoes: [Shoe])
}
