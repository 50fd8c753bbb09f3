package import HealthSyncDomain

/// The actions of the user on shoes. Each action is one durable transaction; if it throws, nothing was changed.
/// Throws `.usage` for an invalid action, `.noInput` for a shoe that does not exist, and `.busy` while another run
/// changes the database.
package protocol ShoeActions: Sendable {
    /// Adds a shoe to the collection. If `isDefault`, it replaces the current default shoe.
    func addShoe(_ details: ShoeDetails, isDefault: Bool) async throws -> Shoe
    /// Replaces the details of a shoe.
    func editShoe(_ id: Shoe.ID, _ details: ShoeDetails) async throws -> Shoe
    /// Makes a shoe the default from today on; `nil` for none. An archived shoe cannot be the default.
    func setDefaultShoe(_ id: Shoe.ID?) async throws -> Shoe?
    /// Archives a shoe, which keeps its sessions. A shoe that is being worn is rejected. Idempotent.
    func archiveShoe(_ id: Shoe.ID) async throws -> Shoe
    /// Restores an archived shoe. Idempotent.
    func unarchiveShoe(_ id: Shoe.ID) async throws -> Shoe
    /// Deletes a shoe: its sessions become unattributed. A shoe that is being worn is rejected.
    func deleteShoe(_ id: Shoe.ID) async throws -> ShoeDeletion
    /// Starts a session now with a shoe, or with the default one for `nil`, and ends the active session.
    func startShoe(_ id: Shoe.ID?) async throws -> ShoeSwitch
    /// Ends the active session now.
    func stopShoe() async throws -> ShoeSwitch
    /// Ends the session of the shoe if it is active, otherwise starts one. For `nil`, ends the active session or
    /// starts the default shoe.
    func toggleShoe(_ id: Shoe.ID?) async throws -> ShoeSwitch
    /// Assigns hours of `day` (`8-11,17`, see `DayHours`) to a shoe. Sessions of other shoes are truncated or split.
    func assignHours(_ hours: String, on day: CalendarDay, to id: Shoe.ID) async throws -> HourAttribution
    /// Removes hours of `day` from all sessions.
    func unassignHours(_ hours: String, on day: CalendarDay) async throws -> HourAttribution
}
