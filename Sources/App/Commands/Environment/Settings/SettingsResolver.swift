import Foundation
package import HealthSyncDomain
import HealthSyncEngine
import HealthSyncPorts

/// Resolves the settings of a command. An option takes precedence over the environment variable, which takes precedence
/// over the configuration file.
package struct SettingsResolver: Sendable {
    let environment: CommandEnvironment
    let parsed: ParsedCommand
    let paths: PathResolver
    /// The configuration file; `nil` if none exists.
    let file: ConfigurationFile?
    /// The most bytes that a configuration file has.
    static let largestFile = 1 << 20

    /// Reads the configuration file that applies to the command line `parsed`. Throws `.usage` or `.configuration` if it
    /// is invalid, or if the user named a file that does not exist.
    package init(environment: CommandEnvironment, parsed: ParsedCommand) throws(SyncFailure) {
        self.init(environment: environment, parsed: parsed, file: try Self.file(environment, parsed))
    }

    /// Creates a resolver of options, variables and a file that was already read; `nil` for no file.
    init(environment: CommandEnvironment, parsed: ParsedCommand, file: ConfigurationFile?) {
        self.environment = environment
        self.parsed = parsed
        self.file = file
        paths = PathResolver(home: environment.variables["HOME"])
    }

    /// Returns the path of the configuration file, which need not exist, and how the user named it; `nil` without a home
    /// folder.
    static func configurationPath(
        _ environment: CommandEnvironment, _ parsed: ParsedCommand
    ) -> (path: String, named: StatedValue?)? {
        if let named = option("config", of: parsed) ?? variable("HEALTHSYNC_CONFIG", of: environment) {
            let paths = PathResolver(home: environment.variables["HOME"])
            return (paths.absolute(named.text, from: environment.workingDirectory), named)
        }
        return folder("XDG_CONFIG_HOME", below: "/.config", of: environment).map {
            ($0 + "/healthsync/config.json", nil)
        }
    }

    private static func file(
        _ environment: CommandEnvironment, _ parsed: ParsedCommand
    ) throws(SyncFailure) -> ConfigurationFile? {
        guard let (path, named) = configurationPath(environment, parsed) else { return nil }
        guard try environment.files.status(of: path) != nil else {
            if let named { throw named.failure("no such file: \(path)", advice: "check the path") }
            return nil
        }
        let bytes: [UInt8]
        do {
            bytes = try environment.files.read(path, limit: Self.largestFile)
        } catch  where error.code == .noInput {
            throw .configuration(path, error.reason, advice: error.advice)
        }
        return try ConfigurationFile(bytes, path: path)
    }

    /// Returns all settings. Throws `.usage` for an invalid option and `.configuration` for an invalid variable or key.
    package func settings() throws(SyncFailure) -> Settings {
        var settings = Settings(
            dataDirectory: try dataDirectory(), clock: try clock(), isZoneConfigured: try text(.zone) != nil)
        settings.configurationFile = file?.path
        settings.sources = try sources()
        settings.server = try server()
        settings.metrics = try names(.metrics, &settings.locationsOfNames)
        if let types = try names(.types, &settings.locationsOfNames) {
            settings.types = types == ["all"] ? .all : .named(types)
        }
        settings.rawTypes = try names(.raw, &settings.locationsOfNames) ?? []
        settings.originPriority = OriginPriority(preferredNames: try file?[.originPriority]?.strings() ?? [])
        settings.userProfileID = try userProfileID()
        settings.lookBackDays = try number(.lookBackDays)
        try replace(&settings.sleepGapMinutes, by: .sleepGapMinutes)
        try replace(&settings.sleepNightGapMinutes, by: .sleepNightGapMinutes)
        try replace(&settings.heartRateHoldMinutes, by: .heartRateHoldMinutes)
        try replace(&settings.shoeInactivityHours, by: .shoeInactivityHours)
        try replace(&settings.layering.steps, by: .stepsPerInterval)
        try replace(&settings.layering.samples, by: .samplesPerInterval)
        try replace(&settings.inbox.days, by: .inboxDays)
        try replace(&settings.inbox.bytes, by: .inboxBytes)
        settings.inboxServer = try inboxServer()
        try replace(&settings.delivery.concurrency, by: .requestsInFlight)
        try replace(&settings.delivery.requestTimeoutMilliseconds, by: .requestTimeoutSeconds, times: 1_000)
        // A user who states a deadline wants the run to try for that long.
        settings.delivery.patienceMilliseconds = parsed.has("deadline") ? nil : Self.patienceMilliseconds
        try replace(&settings.limits.decompressedBytes, by: .decompressedBytes)
        try replace(&settings.limits.lockWaitSeconds, by: .lockWaitSeconds)
        settings.logLevel = try logLevel() ?? settings.logLevel
        return settings
    }
}

extension SettingsResolver {
    /// How long a run goes on trying a server that does not answer.
    private static let patienceMilliseconds: Int64 = 60_000
}

// What the user stated.
extension SettingsResolver {
    /// Returns the text of a setting with its origin.
    func text(_ setting: Setting) throws(SyncFailure) -> StatedValue? {
        if let option = setting.option, let stated = Self.option(option, of: parsed) { return stated }
        if let variable = setting.variable, let stated = Self.variable(variable, of: environment) { return stated }
        return try file?[setting]?.stated()
    }

    /// Returns the names in a list. Adds the locations of those in the file to `locations`.
    private func names(_ setting: Setting, _ locations: inout [String: String]) throws(SyncFailure) -> [String]? {
        if let option = setting.option, let names = try parsed.names(option) { return names }
        if let variable = setting.variable, let stated = Self.variable(variable, of: environment) {
            let names = stated.text.split(separator: ",").map(\.withoutOuterSpaces)
            for name in names { locations[name] = stated.subject }
            return names
        }
        guard let nodes = try file?[setting]?.elementsOrAll() else { return nil }
        var names: [String] = []
        for node in nodes {
            let stated = try node.stated()
            names.append(stated.text)
            locations[stated.text] = stated.subject
        }
        return names
    }

    /// Returns a whole number in the range of its setting.
    private func number(_ setting: Setting) throws(SyncFailure) -> Int? {
        let range = setting.range
        if let option = setting.option, let number = try parsed.integer(option, in: range) { return number }
        guard let variable = setting.variable, let stated = Self.variable(variable, of: environment) else {
            return try file?[setting]?.integer(in: range)
        }
        guard let number = Int(stated.text), range.contains(number) else {
            throw stated.failure(
                "\"\(stated.text)\" is not a whole number from \(range.lowerBound) to \(range.upperBound)",
                advice: "change or unset the variable")
        }
        return number
    }

    private func replace<Number: BinaryInteger>(
        _ number: inout Number, by setting: Setting, times factor: Number = 1
    ) throws(SyncFailure) {
        if let stated = try self.number(setting) { number = Number(stated) * factor }
    }

    private static func option(_ name: String, of parsed: ParsedCommand) -> StatedValue? {
        // In `watch --pull` the option may have no value, so the text is empty.
        guard let text = parsed.text(name), !text.isEmpty else { return nil }
        return StatedValue(text: text, subject: "--\(name)", place: .option)
    }

    /// Returns the value of a variable. An empty value counts as unset.
    static func variable(_ name: String, of environment: CommandEnvironment) -> StatedValue? {
        guard let text = environment.variables[name], !text.isEmpty else { return nil }
        return StatedValue(text: text, subject: name, place: .environment)
    }

    /// Returns an XDG folder. The XDG specification requires relative paths to be ignored.
    static func folder(_ name: String, below home: String, of environment: CommandEnvironment) -> String? {
        if let folder = variable(name, of: environment)?.text, folder.hasPrefix("/") { return folder }
        return variable("HOME", of: environment).map { $0.text + home }
    }
}
