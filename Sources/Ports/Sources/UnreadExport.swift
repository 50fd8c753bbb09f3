public import HealthSyncDomain

/// An export that was found and is not read.
public struct UnreadExport: Sendable, Hashable {
    /// The path or URL.
    public var path: String
    /// When it was exported; `nil` if it does not state it.
    public var exportDate: Instant?
    /// Why it is not read, as a clause without a full stop.
    public var reason: String
    /// What to do about it; empty if nothing needs to be done.
    public var advice: String

    /// Creates the description of an export at `path` that is not read because of `reason`.
    public init(path: String, exportDate: Instant?, reason: String, advice: String = "") {
        self.path = path
        self.exportDate = exportDate
        self.reason = reason
        self.advice = advice
    }
}
