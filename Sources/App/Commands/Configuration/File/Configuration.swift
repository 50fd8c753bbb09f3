package import HealthSyncDomain

/// The content of the configuration file; absent keys are `nil`.
package struct Configuration: Sendable, Hashable {
    /// Files, folders and archives to read, absolute or relative to the configuration's folder.
    package var sources: [String]?
    /// The folder that contains the database.
    package var dataDirectory: String?
    /// IANA name of the home zone.
    package var zone: String?
    /// Stays in other zones.
    package var timeZones: [Stay]?
    /// The server's base address.
    package var serverURL: String?
    /// The file that holds the server's token.
    package var tokenFile: String?
    /// Names of the metrics to derive.
    package var metrics: [String]?
    /// Sample types to keep in addition to those the metrics read; the single element `all` means every type.
    package var types: [String]?
    /// Types whose raw samples are sent, in addition to steps.
    package var raw: [String]?
    /// Maximum number of steps in an interval of raw samples.
    package var stepsPerInterval: Int?
    /// Maximum number of samples in an interval of any other type.
    package var samplesPerInterval: Int?
    /// Source names, most trusted first.
    package var originPriority: [String]?
    /// The UUID of the user whose data it is.
    package var userProfileID: String?
    /// How many days before today `daily` covers.
    package var lookBackDays: Int?
    /// The longest gap within one sleep session, in minutes.
    package var sleepGapMinutes: Int?
    /// The longest time for which a heart rate measurement stays valid, in minutes.
    package var heartRateHoldMinutes: Int?
    /// Hours without steps after which a shoe session ends automatically.
    package var shoeInactivityHours: Int?
    package var inbox = Inbox()
    package var limits = Limits()

    /// A change of time zone: from the day `from` on, the user's time zone is `zone`.
    package struct Stay: Sendable, Hashable {
        package var from: CalendarDay
        package var zone: String

        package init(from: CalendarDay, zone: String) {
            self.from = from
            self.zone = zone
        }
    }

    /// How long posts of phones are kept.
    package struct Inbox: Sendable, Hashable {
        /// Days after which a post is deleted.
        package var days: Int?
        /// Total size of the kept posts, in bytes.
        package var bytes: Int64?

        package init() {}
    }

    /// Limits on the resources a run uses.
    package struct Limits: Sendable, Hashable {
        /// Maximum total size of an unpacked archive, in bytes.
        package var decompressedBytes: Int64?
        /// Maximum number of concurrent requests to the server.
        package var requestsInFlight: Int?
        /// Timeout of one request, in seconds.
        package var requestTimeoutSeconds: Int?
        /// How long to wait for another run to finish, in seconds.
        package var lockWaitSeconds: Int?

        package init() {}
    }

    package init() {}
}
