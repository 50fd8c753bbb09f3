package import HealthSyncEngine
package import HealthSyncPorts

/// What a command needs an engine for.
package struct EngineRequest: Sendable {
    /// What is done with the database.
    package enum Access: Sendable {
        /// Made if it is missing, changed by this run alone.
        case writing
        /// Only looked at, also while another run is at work; `.noInput` when there is none yet.
        case reading
    }

    package var settings: Settings
    /// Gives the user profile's id, made at first use; to be asked while this run holds the lock.
    package var userProfile: UserProfile
    package var engineSettings: EngineSettings
    package var access: Access
    package var log: any EventLog
    package var progress: any ProgressReporter

    package init(
        settings: Settings, userProfile: UserProfile, engineSettings: EngineSettings, access: Access, log: any EventLog,
        progress: any ProgressReporter
    ) {
        self.settings = settings
        self.userProfile = userProfile
        self.engineSettings = engineSettings
        self.access = access
        self.log = log
        self.progress = progress
    }
}

/// An engine at work, with what it holds open.
package struct OpenEngine: Sendable {
    package let engine: SyncEngine
    /// Closes the database and gives the lock back; called once, after the last use.
    package let close: @Sendable () async -> Void

    package init(engine: SyncEngine, close: @escaping @Sendable () async -> Void) {
        self.engine = engine
        self.close = close
    }
}
