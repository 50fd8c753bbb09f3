package import HealthSyncDomain
import HealthSyncPorts

extension SyncEngine {
    /// Says that no shoe was worn in hours of `day`: takes just them out of every session.
    package func unassignHours(_ hours: String, on day: CalendarDay) async throws -> HourAttribution {
        let newID = newID
        return try await attribute(hours, on: day) { sessions, range in sessions.clear(range, newID: newID) }
    }
}
