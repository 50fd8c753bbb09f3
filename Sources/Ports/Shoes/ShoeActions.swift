package import HealthSyncDomain

/// What a person does with shoes. Each action is one durable transaction, or throws and has changed nothing: `.usage` for
/// what makes no sense, `.noInput` for a shoe that is not there, `.busy` while another run changes the database.
package protocol ShoeActions: Sendable {
    /// Takes a shoe into the collection; as the default one, if `isDefault`, in the place of another.
    func addShoe(_ details: ShoeDetails, isDefault: Bool) async throws -> Shoe
    /// Replaces what is said of a shoe.
    func editShoe(_ id: Shoe.ID, _ details: ShoeDetails) async throws -> Shoe
    /// Makes a shoe the one that is put on by itself, from today on; `nil` for none. An archived one cannot be.
    func setDefaultShoe(_ id: Shoe.ID?) async throws -> Shoe?
    /// Puts a shoe away. It keeps its sessions; one that is worn is refused. Safe to repeat.
    func archiveShoe(_ id: Shoe.ID) async throws -> Shoe
    /// Brings a shoe back that was put away. Safe to repeat.
    func unarchiveShoe(_ id: Shoe.ID) async throws -> Shoe
    /// Deletes a shoe: its sessions become unattributed. One that is worn is refused.
    func deleteShoe(_ id: Shoe.ID) async throws -> ShoeDeletion
    /// Puts a shoe on, now, or the default one for `nil`; what was worn until now is closed.
    func startShoe(_ id: Shoe.ID?) async throws -> ShoeSwitch
    /// Takes off, now, what is worn.
    func stopShoe() async throws -> ShoeSwitch
    /// Takes the shoe off if it is worn, else puts it on; for `nil` takes off what is worn, or puts the default one on.
    func toggleShoe(_ id: Shoe.ID?) async throws -> ShoeSwitch
    /// Says that a shoe was worn in hours of `day` (`8-11,17`, see `DayHours`); sessions of others are cut or split.
    func assignHours(_ hours: String, on day: CalendarDay, to id: Shoe.ID) async throws -> HourAttribution
    /// Says that no shoe was worn in hours of `day`.
    func unassignHours(_ hours: String, on day: CalendarDay) async throws -> HourAttribution
}
