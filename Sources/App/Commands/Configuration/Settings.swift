package import Foundation
package import HealthSyncDomain

/// What holds for a run, after options, environment, configuration file and defaults.
package struct Settings: Sendable, Hashable {
    /// The configuration file that was read; `nil` when there is none.
    package var configurationFile: String?
    /// Absolute paths or URLs of the sources.
    package var sources: [String]
    /// Absolute path of the folder that holds the database.
    package var dataDirectory: String
    /// Which instants make a day for this person.
    package var clock: DayClock
    /// Whether the zone was named; otherwise it is the system's.
    package var isZoneStated: Bool
    /// The server to deliver to; `nil` for none.
    package var server: Server?
    /// Names of the metrics to derive; `nil` for the built-in ones and those of plug-ins.
    package var metrics: [String]?
    /// Which types of samples are kept.
    package var types: Types
    /// Names of types whose samples are sent as they are, beside those of steps.
    package var rawTypes: [String]
    /// Where the metrics and types stand that the configuration file names: file, line, column and key, by name.
    package var placesOfNames: [String: String] = [:]
    /// How small the intervals are by which they travel.
    package var layering: Layering
    package var originPriority: OriginPriority
    /// Whose data it is, where it is configured.
    package var userProfileID: UUID?
    /// Days before today that `daily` is bounded to; `nil` for no bound.
    package var lookBackDays: Int?
    /// The longest gap within one sleep session, in minutes.
    package var sleepGapMinutes: Int
    /// Minutes for which a measurement of heart rate holds at most.
    package var heartRateHoldMinutes: Int
    /// Hours without steps after which a worn shoe is taken off by itself.
    package var shoeInactivityHours: Int
    package var limits: Limits

    /// Types of samples kept at home.
    package enum Types: Sendable, Hashable {
        /// Those that the metrics read.
        case ofMetrics
        /// Every type that a source has.
        case all
        /// Those that the metrics read and these, by short name or HealthKit identifier.
        case named([String])
    }

    /// A server and the secret that it asks for.
    package struct Server: Sendable, Hashable, CustomStringConvertible {
        /// The base address.
        package var url: String
        /// Never printed.
        package var token: String?

        package init(url: String, token: String?) {
            self.url = url
            self.token = token
        }

        /// The address alone.
        package var description: String { url }
    }

    /// How small intervals are to be.
    package struct Layering: Sendable, Hashable {
        /// Steps an interval.
        package var stepsPerInterval: Int
        /// Samples an interval of any other type.
        package var samplesPerInterval: Int

        package static let standard = Layering(
            stepsPerInterval: Int(LayeringRule.steps.limit), samplesPerInterval: Int(LayeringRule.samples.limit))
    }

    /// Bounds on what a run may take.
    package struct Limits: Sendable, Hashable {
        /// Bytes that an archive may hold in all when unpacked.
        package var decompressedBytes: Int64
        /// Requests on their way to the server at a time.
        package var requestsInFlight: Int
        /// Seconds that one request may take.
        package var requestTimeoutSeconds: Int
        /// Seconds to wait for another run to end.
        package var lockWaitSeconds: Int

        package static let standard = Limits(
            decompressedBytes: 64 << 30, requestsInFlight: 3, requestTimeoutSeconds: 30, lockWaitSeconds: 5)
    }

    /// Throws `.configuration` where neither a metric nor a type of samples is named: a run could do nothing.
    package func requireSomethingToKeep() throws(SyncFailure) {
        let keepsTypes = types != .ofMetrics && types != .named([])
        guard metrics?.isEmpty ?? false, !keepsTypes, rawTypes.isEmpty else { return }
        throw .configuration(
            "metrics", "the list is empty, so nothing would be imported or derived",
            advice: "name metrics, or remove the list to derive the built-in ones")
    }

    /// The database file.
    package var databasePath: String { dataDirectory + "/healthsync.sqlite" }
}
