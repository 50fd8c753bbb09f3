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
        /// None: one in memory that vanishes with the engine.
        case scratch
    }

    package var settings: Settings
    package var engineSettings: EngineSettings
    package var access: Access
    package var log: any EventLog
    package var progress: any ProgressReporter

    package init(
        settings: Settings, engineSettings: EngineSettings, access: Access, log: any EventLog,
        progress: any ProgressReporter
    ) {
        self.settings = settings
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
