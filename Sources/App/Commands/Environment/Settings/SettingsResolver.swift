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
    ) -> (path: String, named: SettingValue?)? {
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
        return try ConfigurationFile(bytes, path: path, handlers: environment.factory.plugInHandlers)
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
        settings.plugIns = file?.plugIns ?? [:]
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
    func text(_ setting: Setting) throws(SyncFailure) -> SettingValue? {
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

    private static func option(_ name: String, of parsed: ParsedCommand) -> SettingValue? {
        // In `watch --pull` the option may have no value, so the text is empty.
        guard let text = parsed.text(name), !text.isEmpty else { return nil }
        return SettingValue(text: text, subject: "--\(name)", place: .option)
    }

    /// Returns the value of a variable. An empty value counts as unset.
    static func variable(_ name: String, of environment: CommandEnvironment) -> SettingValue? {
        guard let text = environment.variables[name], !text.isEmpty else { return nil }
        return SettingValue(text: text, subject: name, place: .environment)
    }

    /// Returns an XDG folder. The XDG specification requires relative paths to be ignored.
    static func folder(_ name: String, below home: String, of environment: CommandEnvironment) -> String? {
        if let folder = variable(name, of: environment)?.text, folder.hasPrefix("/") { return folder }
        return variable("HOME", of: environment).map { $0.text + home }
    }
}

// Settings that need more than a lookup.
extension SettingsResolver {
    func clock() throws(SyncFailure) -> DayClock {
        let home =
            try text(.zone)
            ?? SettingValue(
                text: environment.time.systemZoneName(), subject: "the system's zone", place: .environment)
        var residences: [DayClock.Residence] = []
        for change in try file?.zoneChanges() ?? [] {
            let rules = try change.zone.stated().zoneRules(environment.time)
            residences.append(DayClock.Residence(firstDay: change.from, rules: rules))
        }
        return DayClock(home: try home.zoneRules(environment.time), residences: residences)
    }

    func sources() throws(SyncFailure) -> [String] {
        let locations = SourceLocations(environment)
        let options = parsed.texts("source")
        let (texts, folder): ([String], String) =
            if !options.isEmpty {
                (options, environment.workingDirectory)
            } else if let list = Self.variable("HEALTHSYNC_SOURCE", of: environment) {
                (locations.split(list.text), environment.workingDirectory)
            } else {
                (try file?[.sources]?.strings() ?? [], folder(of: .file))
            }
        return try texts.map { text throws(SyncFailure) in try locations.location(text, from: folder) }
    }

    func dataDirectory() throws(SyncFailure) -> String {
        if let stated = try text(.dataDirectory) { return paths.absolute(stated.text, from: folder(of: stated.place)) }
        guard let base = Self.folder("XDG_DATA_HOME", below: "/.local/share", of: environment) else {
            throw .configuration(
                "HOME", "not set, so there is no default data folder", advice: "name a folder with --data-dir")
        }
        return base + "/healthsync"
    }

    /// Returns the folder to which relative paths refer.
    private func folder(of place: SettingValue.Place) -> String {
        guard place == .file, let file else { return environment.workingDirectory }
        return (file.path as NSString).deletingLastPathComponent
    }

    func server() throws(SyncFailure) -> Settings.Server? {
        guard let address = try text(.serverURL), address.text != "none" else { return nil }
        try Self.requireNoSecret(in: address)
        let formats = environment.factory.destinationFormats
        guard formats.contains(where: { $0.recognizes(address.text) }) else {
            let isLocal = ["localhost", "127.", "[::1]"].contains { address.text.hasPrefix($0) }
            let complete = "\(isLocal ? "http" : "https")://\(address.text)"
            let lacksScheme = !address.text.contains("://") && formats.contains { $0.recognizes(complete) }
            throw address.failure(
                "no sender accepts \"\(address.text)\"",
                advice: "use \(lacksScheme ? complete : formats.map(\.addressForm).joined(separator: " or "))")
        }
        let secret = try neededToken { () throws(SyncFailure) in try token() }
        return Settings.Server(url: address.text, token: secret)
    }

    /// Returns a token. For a command that does not use the server, returns `nil` instead of an error, so that a missing
    /// token file does not stop work on the local database.
    private func neededToken(_ token: () throws(SyncFailure) -> String?) throws(SyncFailure) -> String? {
        guard parsed.uses?.contains(.server) ?? true else { return try? token() }
        return try token()
    }

    /// Returns the server on which posts wait: that of `--pull`, or the configured one. `--pull` without an address means
    /// the server to deliver to if no other is configured.
    func inboxServer() throws(SyncFailure) -> Settings.Server? {
        let server = try self.server()
        guard let address = try text(.inboxServer) else { return parsed.has("pull") ? server : nil }
        try Self.requireNoSecret(in: address)
        let lowercased = address.text.lowercased()
        guard lowercased.hasPrefix("https://") || lowercased.hasPrefix("http://") else {
            throw address.failure(
                "\"\(address.text)\" is not an http or https address", advice: "write it as https://host")
        }
        if let tokenFile = try text(.inboxTokenFile) {
            return Settings.Server(
                url: address.text, token: try neededToken { () throws(SyncFailure) in try token(in: tokenFile) })
        }
        // The token of another server must not be sent to this one.
        let isOther = server.map { $0.url != address.text } ?? false
        return Settings.Server(
            url: address.text, token: isOther ? nil : try neededToken { () throws(SyncFailure) in try token() })
    }

    /// Throws if an address contains a name or password. Call it before the address is repeated in a message.
    private static func requireNoSecret(in address: SettingValue) throws(SyncFailure) {
        let authority = address.text.firstRange(of: "://").map { address.text[$0.upperBound...].prefix { $0 != "/" } }
        guard authority?.contains("@") != true else {
            throw address.failure(
                "the URL contains a name or password", advice: "put the token into a file: --token-file FILE")
        }
    }

    /// Returns the token from a file or a variable. There is no option for it, because other users can see command
    /// lines.
    private func token() throws(SyncFailure) -> String? {
        let variable = Self.variable("HEALTHSYNC_TOKEN", of: environment)
        guard parsed.has("token-file") || variable == nil, let stated = try tokenFile() else {
            return try variable.map { stated throws(SyncFailure) in
                try Self.checked(stated.text, subject: stated.subject)
            }
        }
        return try token(in: stated)
    }

    /// Returns the file of the token; `nil` for that of the configuration if the user named another server than it does, which must not
    /// receive the token.
    private func tokenFile() throws(SyncFailure) -> SettingValue? {
        guard let stated = try text(.tokenFile) else { return nil }
        guard case .file = stated.place, let known = try file?[.serverURL]?.string(), let used = try text(.serverURL)
        else { return stated }
        return Self.isSameServer(known, used.text) ? stated : nil
    }

    /// Returns whether two addresses name one server; a slash at the end makes no difference.
    static func isSameServer(_ one: String, _ other: String) -> Bool {
        func base(_ address: String) -> Substring { address.hasSuffix("/") ? address.dropLast() : address[...] }
        return base(one) == base(other)
    }

    /// Returns the token in a file, which only the user may read.
    private func token(in stated: SettingValue) throws(SyncFailure) -> String {
        let path = paths.absolute(stated.text, from: folder(of: stated.place))
        guard let status = try environment.files.status(of: path), !status.isFolder else {
            throw stated.failure(
                "no such file: \(path)", advice: "write the token into that file, or name another file")
        }
        guard !status.isReadableByOthers else {
            throw .configuration(
                path, "other users can read this token file", advice: "run: chmod 600 \(path)")
        }
        let bytes = try environment.files.read(path, limit: 4_096)
        return try Self.checked(String(decoding: bytes, as: UTF8.self), subject: path)
    }

    private static func checked(_ text: String, subject: String) throws(SyncFailure) -> String {
        let token = text.trimmingCharacters(in: .whitespacesAndNewlines)
        guard !token.isEmpty, token.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw .configuration(
                subject, token.isEmpty ? "empty token" : "invalid token",
                advice: "set it to the token alone, on one line")
        }
        return token
    }

    /// Returns the level that the user stated, as such or by `--verbose` or `--quiet`.
    func logLevel() throws(SyncFailure) -> LogLevel? {
        guard let stated = try text(.logLevel), stated.place == .option || !isVerbosityStated else {
            return parsed.has("verbose") ? .debug : parsed.has("quiet") ? .error : nil
        }
        guard let level = LogLevel(rawValue: stated.text) else {
            throw stated.failure(
                "unknown level \"\(stated.text)\"",
                advice: "use \(LogLevel.allCases.map(\.rawValue).joined(separator: ", "))")
        }
        return level
    }

    private var isVerbosityStated: Bool { parsed.has("verbose") || parsed.has("quiet") }

    func userProfileID() throws(SyncFailure) -> UUID? {
        guard let stated = try text(.userProfileID) else { return nil }
        guard let id = UUID(uuidString: stated.text) else {
            throw stated.failure(
                "invalid UUID \"\(stated.text)\"", advice: "remove it to have one generated at first use")
        }
        return id
    }
}

/// Interprets the texts by which the user names sources: paths, and URLs of plug-in formats.
struct SourceLocations {
    private let paths: PathResolver
    private let schemes: Set<String>
    private let files: any LocalFiles

    init(_ environment: CommandEnvironment) {
        paths = PathResolver(home: environment.variables["HOME"])
        schemes = environment.factory.sourceSchemes
        files = environment.files
    }

    /// Returns an absolute path, or a URL as it was written. A text of the form `scheme:rest` with an unknown scheme is
    /// a path if there is such a file, and a URL otherwise, so that the error mentions the scheme.
    ///
    /// Throws `.usage` for an empty text, which would name the working folder.
    func location(_ text: String, from folder: String) throws(SyncFailure) -> String {
        guard !text.isEmpty else { throw .usage("SOURCE", "empty path", advice: "name a file, folder or archive") }
        let path = paths.absolute(text, from: folder)
        guard let scheme = SourceURL.scheme(of: text) else { return path }
        guard !schemes.contains(scheme) else { return text }
        return (try? files.status(of: path)) == nil ? text : path
    }

    /// Splits a list at its colons, except after a known scheme.
    func split(_ list: String) -> [String] {
        var parts = list.split(separator: ":").map(String.init)
        for index in parts.indices.dropLast().reversed() where schemes.contains(parts[index].lowercased()) {
            parts[index] += ":" + parts.remove(at: index + 1)
        }
        return parts
    }
}
