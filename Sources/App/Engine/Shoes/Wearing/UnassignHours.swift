package import HealthSyncDomain
import HealthSyncPorts

extension Shoes {
    /// Removes hours of `day` from every session.
    package func unassignHours(_ hours: String, on day: CalendarDay) async throws -> HourAttribution {
        let newID = newID
        return try await attribute(hours, on: day) { sessions, range in sessions.clear(range, newID: newID) }
    }
}
