package import Foundation
package import HealthSyncDomain
package import HealthSyncEngine
package import HealthSyncPorts

/// The effective settings of a command, from options, environment variables, the configuration file and defaults.
/// `SettingsResolver` resolves and validates them once.
package struct Settings: Sendable, Hashable {
    /// The configuration file that was read; `nil` if none exists.
    package var configurationFile: String?
    /// Absolute paths or URLs of the sources.
    package var sources: [String] = []
    /// Absolute path of the folder that contains the database.
    package var dataDirectory: String
    /// Maps instants to the user's calendar days.
    package var clock: DayClock
    /// Whether the user named the time zone; otherwise it is the system's.
    package var isZoneConfigured: Bool
    /// The server to deliver to; `nil` if none is configured.
    package var server: Server?
    /// Names of the metrics to derive; `nil` for all that the data contain.
    package var metrics: [String]?
    /// Which sample types are kept.
    package var types = Types.ofMetrics
    /// Names of types whose raw samples are sent, in addition to steps.
    package var rawTypes: [String] = []
    /// The location (file, line, column, key) of each metric and type that the configuration file names.
    package var locationsOfNames: [String: String] = [:]
    /// The maximum size of the intervals in which raw samples are sent.
    package var layering = LayeringLimits()
    package var originPriority = OriginPriority(preferredNames: [])
    /// The UUID of the user whose data it is, if configured.
    package var userProfileID: UUID?
    /// How many days before today `daily` covers; `nil` for all.
    package var lookBackDays: Int?
    /// The longest gap within one sleep session, in minutes.
    package var sleepGapMinutes = SleepSessionBuilder.standardGapMinutes
    /// The longest time between the parts of one night, in minutes.
    package var sleepNightGapMinutes = SleepSessionBuilder.standardNightGapMinutes
    /// The longest time for which a heart rate measurement stays valid, in minutes.
    package var heartRateHoldMinutes = DiscreteSummary.standardHoldMinutes
    /// Hours without steps after which a shoe session ends automatically.
    package var shoeInactivityHours = EngineSettings.standardShoeInactivityHours
    /// How long posts of phones are kept in the archive.
    package var inbox = Inbox()
    /// The server on which posts of phones wait; `nil` if none is configured.
    package var inboxServer: Server?
    package var delivery = DeliveryOptions()
    package var limits = Limits()
    /// The stated settings of plug-ins, by metric.
    package var plugIns: [HealthMetric: HandlerSettings] = [:]
    /// The least severe events that are logged.
    package var logLevel = LogLevel.info

    /// Creates the settings of a user who stated nothing else.
    package init(dataDirectory: String, clock: DayClock, isZoneConfigured: Bool) {
        self.dataDirectory = dataDirectory
        self.clock = clock
        self.isZoneConfigured = isZoneConfigured
    }

    /// Which sample types the local store keeps.
    package enum Types: Sendable, Hashable {
        /// The types that the metrics read.
        case ofMetrics
        /// Every type in the sources.
        case all
        /// The types that the metrics read, and these, by short name or HealthKit identifier.
        case named([String])
    }

    /// A server and its access token.
    package struct Server: Sendable, Hashable, CustomStringConvertible {
        /// The base address.
        package var url: String
        /// The access token; never printed.
        package var token: String?

        package init(url: String, token: String?) {
            self.url = url
            self.token = token
        }

        /// The address without the token.
        package var description: String { url }
    }

    /// How long posts are kept in the archive of the inbox. Posts that wait are always kept.
    package struct Inbox: Sendable, Hashable {
        /// Days after which a post is deleted.
        package var days = 90
        /// Total size of the archive, in bytes, above which the oldest posts are deleted.
        package var bytes: Int64 = 2 << 30

        package init() {}
    }

    /// Limits on the resources a run uses.
    package struct Limits: Sendable, Hashable {
        /// Maximum total size of an unpacked archive, in bytes.
        package var decompressedBytes: Int64 = 64 << 30
        /// How long to wait for another run to finish, in seconds.
        package var lockWaitSeconds = 5

        package init() {}
    }

    /// Throws `.configuration` if the settings select neither metrics nor sample types, so that a run would do nothing.
    package func requireSomethingToKeep() throws(SyncFailure) {
        let keepsTypes = types != .ofMetrics && types != .named([])
        guard metrics?.isEmpty ?? false, !keepsTypes, rawTypes.isEmpty else { return }
        throw .configuration(
            "metrics", "the list is empty, so nothing would be imported or derived",
            advice: "name metrics, or remove the list to derive all that the data contain")
    }

    /// The database file.
    package var databasePath: String { dataDirectory + "/healthsync.sqlite" }
}
