public import Foundation

/// What a run is asked for.
public struct SyncRequest: Sendable, Hashable {
    /// The two ways of syncing.
    public enum Scope: String, Sendable, Codable {
        /// Today and the days before it that may still change.
        case daily
        /// A stretch of the past.
        case historical
    }

    /// Which way.
    public var scope: Scope
    /// The days covered.
    public var days: DayRange
    /// Whose data it is; goes with every delivery.
    public var userProfileID: UUID?
    /// Derive and send again even where nothing changed.
    public var force: Bool

    /// A request for `days`.
    public init(scope: Scope, days: DayRange, userProfileID: UUID?, force: Bool = false) {
        self.scope = scope
        self.days = days
        self.userProfileID = userProfileID
        self.force = force
    }
}
