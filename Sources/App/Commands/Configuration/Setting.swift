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
        /// Anything; the key is for other programs.
        case ignored
    }

    /// The path of the key, such as `server.url`.
    package let key: String
    package let option: String?
    package let variable: String?
    let values: Values

    /// The range of a whole number.
    var range: ClosedRange<Int> {
        guard case .wholeNumber(let range) = values else { return Int.min...Int.max }
        return range
    }

    private init(_ key: String, _ values: Values, option: String? = nil, variable: String? = nil) {
        self.key = key
        self.values = values
        self.option = option
        self.variable = variable
    }

    static let schema = Setting("$schema", .ignored)
    static let sources = Setting("sources", .texts, option: "source", variable: "HEALTHSYNC_SOURCE")
    static let dataDirectory = Setting("dataDirectory", .text, option: "data-dir", variable: "HEALTHSYNC_DATA_DIR")
    static let zone = Setting("zone", .text, option: "zone", variable: "HEALTHSYNC_ZONE")
    static let timeZones = Setting("timeZones", .zoneChanges)
    static let serverURL = Setting("server.url", .text, option: "server", variable: "HEALTHSYNC_SERVER")
    static let tokenFile = Setting(
        "server.tokenFile", .text, option: "token-file", variable: "HEALTHSYNC_TOKEN_FILE")
    static let metrics = Setting("metrics", .texts, option: "metrics", variable: "HEALTHSYNC_METRICS")
    static let types = Setting("types", .textsOrAll, option: "types", variable: "HEALTHSYNC_TYPES")
    static let raw = Setting("raw", .texts, option: "raw", variable: "HEALTHSYNC_RAW")
    static let originPriority = Setting("originPriority", .texts)
    static let userProfileID = Setting("userProfileID", .text, variable: "HEALTHSYNC_USER_PROFILE_ID")
    static let lookBackDays = Setting(
        "lookBackDays", .wholeNumber(0...3_650), option: "days", variable: "HEALTHSYNC_LOOK_BACK_DAYS")
    static let sleepGapMinutes = Setting("sleep.gapMinutes", .wholeNumber(1...720))
    static let heartRateHoldMinutes = Setting("heartRate.holdMinutes", .wholeNumber(1...120))
    static let shoeInactivityHours = Setting("shoes.inactivityHours", .wholeNumber(1...72))
    static let stepsPerInterval = Setting("layering.stepsPerInterval", .wholeNumber(1...1_000_000_000))
    static let samplesPerInterval = Setting("layering.samplesPerInterval", .wholeNumber(1...1_000_000_000))
    static let inboxDays = Setting("inbox.days", .wholeNumber(1...36_500))
    static let inboxBytes = Setting("inbox.bytes", .wholeNumber(1...Int.max))
    static let inboxServer = Setting("inbox.server", .text, option: "pull")
    static let inboxTokenFile = Setting("inbox.tokenFile", .text)
    static let decompressedBytes = Setting("limits.decompressedBytes", .wholeNumber(1...Int.max))
    static let requestsInFlight = Setting("limits.requestsInFlight", .wholeNumber(1...16), option: "concurrency")
    static let requestTimeoutSeconds = Setting("limits.requestTimeoutSeconds", .wholeNumber(1...3_600))
    static let logLevel = Setting("logLevel", .text, option: "log-level", variable: "HEALTHSYNC_LOG_LEVEL")
    static let lockWaitSeconds = Setting("limits.lockWaitSeconds", .wholeNumber(0...3_600))

    /// All settings, in the order of docs/configuration.md.
    package static let all = [
        schema, sources, dataDirectory, zone, timeZones, serverURL, tokenFile, metrics, types, raw, stepsPerInterval,
        samplesPerInterval, originPriority, userProfileID, lookBackDays, sleepGapMinutes, heartRateHoldMinutes,
        shoeInactivityHours, inboxDays, inboxBytes, inboxServer, inboxTokenFile, decompressedBytes, requestsInFlight,
        requestTimeoutSeconds, lockWaitSeconds, logLevel,
    ]

    /// The program's environment variables, in alphabetical order. `HOME`, `TZ` and the XDG variables are read too.
    package static let variables = (all.compactMap(\.variable) + ["HEALTHSYNC_CONFIG", "HEALTHSYNC_TOKEN"]).sorted()
}
