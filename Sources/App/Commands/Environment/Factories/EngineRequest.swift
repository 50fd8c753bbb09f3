package import HealthSyncEngine
package import HealthSyncPorts

/// A command's request to open an engine.
package struct EngineRequest: Sendable {
    /// How the database is opened.
    package enum Access: Sendable {
        /// Opened for writing under the run lock, and created if it does not exist.
        case writing
        /// Opened read-only, also during another run. Throws `.noInput` if it does not exist.
        case reading
    }

    package var settings: Settings
    /// Provides the user profile's id, generated at first use. Call it while this run holds the lock.
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

/// An open engine and its resources.
package struct OpenEngine: Sendable {
    package let engine: SyncEngine
    /// The stores, which the pages of the dashboard read.
    package let ports: EnginePorts
    /// Closes the database and releases the lock. Call it once, after the last use.
    package let close: @Sendable () async -> Void

    package init(ports: EnginePorts, settings: EngineSettings, close: @escaping @Sendable () async -> Void) {
        engine = SyncEngine(ports: ports, settings: settings)
        self.ports = ports
        self.close = close
    }
}
