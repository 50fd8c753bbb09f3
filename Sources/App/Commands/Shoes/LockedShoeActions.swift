import HealthSyncDomain
import HealthSyncEngine
import HealthSyncPorts

/// Changes shoes on behalf of the dashboard, which otherwise only reads. Each action takes the run lock and opens the
/// database for writing. Throws `.busy` during another run.
struct LockedShoeActions: ShoeActions {
    let context: CommandContext
    let settings: Settings

    func addShoe(_ details: ShoeDetails, isDefault: Bool) async throws -> Shoe {
        try await writing { try await $0.addShoe(details, isDefault: isDefault) }
    }

    func editShoe(_ id: Shoe.ID, _ details: ShoeDetails) async throws -> Shoe {
        try await writing { try await $0.editShoe(id, details) }
    }

    func setDefaultShoe(_ id: Shoe.ID?) async throws -> Shoe? {
        try await writing { try await $0.setDefaultShoe(id) }
    }

    func archiveShoe(_ id: Shoe.ID) async throws -> Shoe { try await writing { try await $0.archiveShoe(id) } }

    func unarchiveShoe(_ id: Shoe.ID) async throws -> Shoe {
        try await writing { try await $0.unarchiveShoe(id) }
    }

    func deleteShoe(_ id: Shoe.ID) async throws -> ShoeDeletion { try await writing { try await $0.deleteShoe(id) } }

    func startShoe(_ id: Shoe.ID?) async throws -> ShoeSwitch {
        try await writing { try await $0.startShoe(id) }
    }

    func stopShoe() async throws -> ShoeSwitch { try await writing { try await $0.stopShoe() } }

    func toggleShoe(_ id: Shoe.ID?) async throws -> ShoeSwitch {
        try await writing { try await $0.toggleShoe(id) }
    }

    func assignHours(_ hours: String, on day: CalendarDay, to id: Shoe.ID) async throws -> HourAttribution {
        try await writing { try await $0.assignHours(hours, on: day, to: id) }
    }

    func unassignHours(_ hours: String, on day: CalendarDay) async throws -> HourAttribution {
        try await writing { try await $0.unassignHours(hours, on: day) }
    }

    private func writing<Result: Sendable>(
        _ body: (any ShoeActions) async throws -> Result
    ) async throws -> Result {
        // Do not create a new database if the user deleted this one while the dashboard was running.
        try context.requireDatabase(of: settings)
        return try await context.withEngine(.writing, settings: settings) { try await body($0.shoes) }
    }
}
