import HealthSyncDomain

/// Reads the configuration file. Keys that docs/configuration.schema.json does not define are errors.
package enum ConfigurationReader {
    /// The keys of each object, by key path; the empty string is the top level.
    package static let keys: [String: [String]] = [
        "": [
            "$schema", "sources", "dataDirectory", "zone", "timeZones", "server", "metrics", "types", "raw",
            "originPriority", "userProfileID", "lookBackDays", "sleep", "heartRate", "shoes", "layering", "inbox",
            "limits",
        ],
        "timeZones": ["from", "zone"],
        "server": ["url", "tokenFile"],
        "sleep": ["gapMinutes"],
        "heartRate": ["holdMinutes"],
        "shoes": ["inactivityHours"],
        "layering": ["stepsPerInterval", "samplesPerInterval"],
        "inbox": ["days", "bytes"],
        "limits": ["decompressedBytes", "requestsInFlight", "requestTimeoutSeconds", "lockWaitSeconds"],
    ]

    package static let lookBackDays: ClosedRange<Int> = 0...3_650
    package static let sleepGapMinutes: ClosedRange<Int> = 1...720
    package static let heartRateHoldMinutes: ClosedRange<Int> = 1...120
    package static let shoeInactivityHours: ClosedRange<Int> = 1...72

    package static let inboxDays: ClosedRange<Int> = 1...36_500

    package static let perInterval: ClosedRange<Int> = 1...1_000_000_000

    /// Reads the document `root`.
    static func read(_ root: ConfigurationNode) throws(SyncFailure) -> Configuration {
        let members = try root.members(keys["", default: []])
        var configuration = Configuration()
        configuration.sources = try members["sources"]?.strings()
        configuration.dataDirectory = try members["dataDirectory"]?.string()
        configuration.zone = try members["zone"]?.string()
        if let node = members["timeZones"] { configuration.timeZones = try stays(node) }
        configuration.metrics = try members["metrics"]?.strings()
        if let node = members["types"] { configuration.types = try types(node) }
        configuration.raw = try members["raw"]?.strings()
        if let layering = try members["layering"]?.members(keys["layering", default: []]) {
            configuration.stepsPerInterval = try number(layering["stepsPerInterval"], in: perInterval)
            configuration.samplesPerInterval = try number(layering["samplesPerInterval"], in: perInterval)
        }
        configuration.originPriority = try members["originPriority"]?.strings()
        configuration.userProfileID = try members["userProfileID"]?.string()
        configuration.lookBackDays = try number(members["lookBackDays"], in: lookBackDays)
        if let server = try members["server"]?.members(keys["server", default: []]) {
            configuration.serverURL = try server["url"]?.string()
            configuration.tokenFile = try server["tokenFile"]?.string()
        }
        if let sleep = try members["sleep"]?.members(keys["sleep", default: []]) {
            configuration.sleepGapMinutes = try number(sleep["gapMinutes"], in: sleepGapMinutes)
        }
        if let heartRate = try members["heartRate"]?.members(keys["heartRate", default: []]) {
            configuration.heartRateHoldMinutes = try number(heartRate["holdMinutes"], in: heartRateHoldMinutes)
        }
        if let shoes = try members["shoes"]?.members(keys["shoes", default: []]) {
            configuration.shoeInactivityHours = try number(shoes["inactivityHours"], in: shoeInactivityHours)
        }
        if let inbox = try members["inbox"]?.members(keys["inbox", default: []]) {
            configuration.inbox.days = try number(inbox["days"], in: inboxDays)
            configuration.inbox.bytes = try inbox["bytes"]?.integer(in: 1...Int64.max)
        }
        if let node = members["limits"] { configuration.limits = try limits(node) }
        return configuration
    }

    private static func limits(_ node: ConfigurationNode) throws(SyncFailure) -> Configuration.Limits {
        let members = try node.members(keys["limits", default: []])
        var limits = Configuration.Limits()
        limits.decompressedBytes = try members["decompressedBytes"]?.integer(in: 1...Int64.max)
        limits.requestsInFlight = try number(members["requestsInFlight"], in: 1...16)
        limits.requestTimeoutSeconds = try number(members["requestTimeoutSeconds"], in: 1...3_600)
        limits.lockWaitSeconds = try number(members["lockWaitSeconds"], in: 0...3_600)
        return limits
    }

    private static func stays(_ node: ConfigurationNode) throws(SyncFailure) -> [Configuration.Stay] {
        var stays: [Configuration.Stay] = []
        for element in try node.elements() {
            let members = try element.members(keys["timeZones", default: []])
            guard let from = members["from"], let zone = members["zone"] else {
                throw element.failure("\"from\" or \"zone\" is missing", advice: "add both keys")
            }
            let stay = Configuration.Stay(from: try from.day(), zone: try zone.string())
            guard !stays.contains(where: { $0.from == stay.from }) else {
                throw from.failure("duplicate day \(stay.from)", advice: "name one zone for each day")
            }
            stays.append(stay)
        }
        return stays
    }

    private static func types(_ node: ConfigurationNode) throws(SyncFailure) -> [String] {
        guard case .string(let text) = node.element.content else { return try node.strings() }
        guard text == "all" else {
            throw node.failure("must be \"all\" or a list of types", advice: "write \"all\" or [\"\(text)\"]")
        }
        return [text]
    }

    private static func number(
        _ node: ConfigurationNode?, in range: ClosedRange<Int>
    ) throws(SyncFailure) -> Int? {
        guard let node else { return nil }
        return Int(try node.integer(in: Int64(range.lowerBound)...Int64(range.upperBound)))
    }
}
