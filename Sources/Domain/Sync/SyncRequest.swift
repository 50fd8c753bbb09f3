public import Foundation

/// A request for a run.
public struct SyncRequest: Sendable, Hashable {
    /// The two kinds of sync.
    public enum Scope: String, Sendable, Codable {
        /// Today and the previous days that may still change.
        case daily
        /// A range of past days.
        case historical
    }

    /// The kind of sync.
    public var scope: Scope
    /// The calendar days covered, in the user's zone.
    public var days: DayRange
    /// The id of the user profile; sent with every delivery.
    public var userProfileID: UUID?
    /// Whether to derive and send again even if nothing changed.
    public var force: Bool

    /// Creates a request for `days`.
    public init(scope: Scope, days: DayRange, userProfileID: UUID?, force: Bool = false) {
        self.scope = scope
        self.days = days
        self.userProfileID = userProfileID
        self.force = force
    }
}
