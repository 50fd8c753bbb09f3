package import HealthSyncDomain

/// The configuration file as it was written: what is absent is `nil`.
package struct Configuration: Sendable, Hashable {
    /// Files, folders and archives to read, absolute or relative to the configuration's folder.
    package var sources: [String]?
    /// Where the database is kept.
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
    /// Types of samples kept beside those the metrics read; one element `all` for every type.
    package var types: [String]?
    /// Types whose samples are sent as they are, beside those of steps.
    package var raw: [String]?
    /// Steps an interval of raw samples.
    package var stepsPerInterval: Int?
    /// Samples an interval of any type but steps.
    package var samplesPerInterval: Int?
    /// Source names, the most trusted first.
    package var originPriority: [String]?
    /// Whose data it is, a UUID.
    package var userProfileID: String?
    /// Days before today that `daily` looks at.
    package var lookBackDays: Int?
    /// The longest gap within one sleep session, in minutes.
    package var sleepGapMinutes: Int?
    /// Minutes for which a measurement of heart rate holds at most.
    package var heartRateHoldMinutes: Int?
    /// Hours without steps after which a worn shoe is taken off by itself.
    package var shoeInactivityHours: Int?
    package var limits = Limits()

    /// From `from` on the person lived by the clocks of `zone`.
    package struct Stay: Sendable, Hashable {
        package var from: CalendarDay
        package var zone: String

        package init(from: CalendarDay, zone: String) {
            self.from = from
            self.zone = zone
        }
    }

    /// Bounds on what a run may take.
    package struct Limits: Sendable, Hashable {
        /// Bytes that an archive may hold in all when unpacked.
        package var decompressedBytes: Int64?
        /// Requests on their way to the server at a time.
        package var requestsInFlight: Int?
        /// Seconds that one request may take.
        package var requestTimeoutSeconds: Int?
        /// Seconds to wait for another run to end.
        package var lockWaitSeconds: Int?

        package init() {}
    }

    package init() {}
}
