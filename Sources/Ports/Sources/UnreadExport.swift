package import HealthSyncDomain

/// An export that stands where one is read, and is not read itself.
package struct UnreadExport: Sendable, Hashable {
    package var path: String
    /// Up to when it says everything, as far as it tells.
    package var exportDate: Instant?
    /// Why it is not read, as a clause without a full stop.
    package var reason: String
    /// What to do about it; empty where all is well.
    package var advice: String

    package init(path: String, exportDate: Instant?, reason: String, advice: String = "") {
        self.path = path
        self.exportDate = exportDate
        self.reason = reason
        self.advice = advice
    }
}
