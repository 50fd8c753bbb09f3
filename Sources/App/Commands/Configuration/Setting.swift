import HealthSyncDomain
import HealthSyncPorts

/// A setting: its key in the configuration file, and the option and the variable that override the file.
package struct Setting: Sendable {
    /// The values that the file may contain.
    enum Values: Sendable {
        case text
        case texts
        /// Texts, or the text `all` alone.
        case textsOrAll
        case wholeNumber(ClosedRange<Int>)
        /// Objects with the members `from`, a day, and `zone`.
        case zoneChanges
        /// Objects by metric, with the settings of its handler.
        case plugIns
        /// Anything; the key is for other programs.
        case ignored
    }

    /// The path of the key, such as `server.url`.
    package let key: String
    package let option: String?
    package let variable: String?
    let values: Values
    /// What it determines, without a full stop.
    let summary: String

    /// The range of a whole number.
    var range: ClosedRange<Int> {
        guard case .wholeNumber(let range) = values else { return Int.min...Int.max }
        return range
    }

    private init(_ key: String, _ values: Values, _ summary: String, option: String? = nil, variable: String? = nil) {
        self.key = key
        self.values = values
        self.summary = summary
        self.option = option
        self.variable = variable
    }

    static let schema = Setting("$schema", .ignored, "The schema of the file, for editors")
    static let sources = Setting(
        "sources", .texts, "Files, folders, archives and URLs to read", option: "source", variable: "HEALTHSYNC_SOURCE")
    static let dataDirectory = Setting(
        "dataDirectory", .text, "Folder of the database", option: "data-dir", variable: "HEALTHSYNC_DATA_DIR")
    static let zone = Setting(
        "zone", .text, "IANA zone that determines calendar days", option: "zone", variable: "HEALTHSYNC_ZONE")
    static let timeZones = Setting(
        "timeZones", .zoneChanges, "Stays in other zones: each entry applies from its day on")
    static let serverURL = Setting(
        "server.url", .text, "Base URL of the server, or `none`", option: "server", variable: "HEALTHSYNC_SERVER")
    static let tokenFile = Setting(
        "server.tokenFile", .text, "File that contains only the server's token", option: "token-file",
        variable: "HEALTHSYNC_TOKEN_FILE")
    static let metrics = Setting(
        "metrics", .texts, "Metrics to derive", option: "metrics", variable: "HEALTHSYNC_METRICS")
    static let types = Setting(
        "types", .textsOrAll, "Types of samples to keep in addition to those that the metrics read, or `all`",
        option: "types", variable: "HEALTHSYNC_TYPES")
    static let raw = Setting(
        "raw", .texts, "Types whose raw samples are sent, in addition to steps", option: "raw",
        variable: "HEALTHSYNC_RAW")
    static let originPriority = Setting("originPriority", .texts, "Names of sources, the most trusted first")
    static let userProfileID = Setting(
        "userProfileID", .text, "UUID that is sent with every delivery", variable: "HEALTHSYNC_USER_PROFILE_ID")
    static let lookBackDays = Setting(
        "lookBackDays", .wholeNumber(0...3_650), "How many days before today `daily` covers", option: "days",
        variable: "HEALTHSYNC_LOOK_BACK_DAYS")
    static let sleepGapMinutes = Setting(
        "sleep.gapMinutes", .wholeNumber(1...720), "Longest gap within one sleep session, in minutes")
    static let sleepNightGapMinutes = Setting(
        "sleep.nightGapMinutes", .wholeNumber(0...720), "Longest time between the parts of one night, in minutes")
    static let heartRateHoldMinutes = Setting(
        "heartRate.holdMinutes", .wholeNumber(1...120), "Minutes for which a heart rate measurement counts in the mean")
    static let shoeInactivityHours = Setting(
        "shoes.inactivityHours", .wholeNumber(1...72), "Hours without steps after which a shoe session ends")
    static let stepsPerInterval = Setting(
        "layering.stepsPerInterval", .wholeNumber(1...1_000_000_000),
        "Maximum number of steps in an interval of raw samples")
    static let samplesPerInterval = Setting(
        "layering.samplesPerInterval", .wholeNumber(1...1_000_000_000),
        "Maximum number of samples in an interval, for other types")
    static let inboxDays = Setting(
        "inbox.days", .wholeNumber(1...36_500), "Days after which a post of a phone is deleted from the archive")
    static let inboxBytes = Setting(
        "inbox.bytes", .wholeNumber(1...Int.max),
        "Total size of the archived posts in bytes, above which the oldest are deleted")
    static let inboxServer = Setting(
        "inbox.server", .text, "Base URL of the server on which posts of phones wait", option: "pull")
    static let inboxTokenFile = Setting("inbox.tokenFile", .text, "File that contains only the token of `inbox.server`")
    static let decompressedBytes = Setting(
        "limits.decompressedBytes", .wholeNumber(1...Int.max), "Maximum size of an unpacked archive, in bytes")
    static let requestsInFlight = Setting(
        "limits.requestsInFlight", .wholeNumber(1...16), "Maximum number of concurrent requests", option: "concurrency")
    static let requestTimeoutSeconds = Setting(
        "limits.requestTimeoutSeconds", .wholeNumber(1...3_600), "Timeout of one request, in seconds")
    static let plugIns = Setting("plugins", .plugIns, "Settings of the metrics of plug-ins: by metric, then by name")
    static let logLevel = Setting(
        "logLevel", .text, "The least severe events that are logged: debug, info, warning or error",
        option: "log-level", variable: "HEALTHSYNC_LOG_LEVEL")
    static let lockWaitSeconds = Setting(
        "limits.lockWaitSeconds", .wholeNumber(0...3_600), "Seconds to wait for another run to end")

    /// All settings, in the order of docs/configuration.md.
    package static let all = [
        schema, sources, dataDirectory, zone, timeZones, serverURL, tokenFile, metrics, types, raw, stepsPerInterval,
        samplesPerInterval, originPriority, userProfileID, lookBackDays, sleepGapMinutes, sleepNightGapMinutes,
        heartRateHoldMinutes, shoeInactivityHours, inboxDays, inboxBytes, inboxServer, inboxTokenFile,
        decompressedBytes, requestsInFlight,
        requestTimeoutSeconds, lockWaitSeconds, plugIns, logLevel,
    ]

    /// The program's environment variables, in alphabetical order. `HOME`, `TZ` and the XDG variables are read too.
    package static let variables = (all.compactMap(\.variable) + ["HEALTHSYNC_CONFIG", "HEALTHSYNC_TOKEN"]).sorted()
}

/// A setting's text with its origin, so that error messages can name the option, variable or key.
struct SettingValue {
    /// The origins of settings, in order of precedence.
    enum Place {
        case option
        case environment
        case file
    }

    let text: String
    let subject: String
    let place: Place

    /// Returns an error about the text: a usage error for an option, a configuration error otherwise.
    func failure(_ reason: String, advice: String) -> SyncFailure {
        switch place {
        case .option: .usage(subject, reason, advice: advice)
        case .environment, .file: .configuration(subject, reason, advice: advice)
        }
    }

    /// Returns the zone of that name. Throws for an unknown zone instead of silently using UTC.
    func zoneRules(_ time: any TimeSource) throws(SyncFailure) -> ZoneRules {
        do {
            return try time.zoneRules(named: text)
        } catch {
            throw failure("unknown time zone \"\(text)\"", advice: error.advice)
        }
    }
}
