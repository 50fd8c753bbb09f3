import Foundation
package import HealthSyncDomain
import HealthSyncPorts

/// Resolves the settings of a run. Options take precedence over environment variables, and those over the
/// configuration file.
package struct SettingsResolver: Sendable {
    let environment: CommandEnvironment
    let parsed: ParsedCommand
    let paths: PathResolver

    /// Creates a resolver for the command line `parsed`.
    package init(environment: CommandEnvironment, parsed: ParsedCommand) {
        self.environment = environment
        self.parsed = parsed
        paths = PathResolver(home: environment.variables["HOME"])
    }

    /// Returns all settings. Throws `.usage` for an invalid option and `.configuration` for an invalid variable or key.
    package func settings() throws(SyncFailure) -> Settings {
        let file = try configurationFile()
        let configuration = file?.configuration ?? Configuration()
        let folder = file.map { ($0.path as NSString).deletingLastPathComponent } ?? environment.workingDirectory
        return Settings(
            configurationFile: file?.path, sources: sources(configuration, folder: folder),
            dataDirectory: try dataDirectory(configuration, folder: folder),
            clock: try clock(file),
            isZoneConfigured: configuration.zone != nil || stated("zone", "HEALTHSYNC_ZONE") != nil,
            server: try server(file, folder: folder),
            metrics: try parsed.names("metrics") ?? list("HEALTHSYNC_METRICS") ?? configuration.metrics,
            types: try types(configuration),
            rawTypes: try parsed.names("raw") ?? list("HEALTHSYNC_RAW") ?? configuration.raw ?? [],
            locationsOfNames: locationsOfNames(file),
            layering: layering(configuration),
            originPriority: OriginPriority(
                preferredNames: configuration.originPriority ?? []),
            userProfileID: try userProfileID(file),
            lookBackDays: try lookBackDays(configuration),
            sleepGapMinutes: configuration.sleepGapMinutes ?? SleepSessionBuilder.standardGapMinutes,
            heartRateHoldMinutes: configuration.heartRateHoldMinutes ?? DiscreteSummary.standardHoldMinutes,
            shoeInactivityHours: configuration.shoeInactivityHours ?? 6,
            inbox: inbox(configuration.inbox), limits: try limits(configuration.limits))
    }

    /// Returns the home zone with the zone changes of the configuration. Throws for an unknown zone.
    package func clock() throws(SyncFailure) -> DayClock {
        try clock(try configurationFile())
    }

    /// Returns the configuration file, or `nil` if none exists. Throws if a file that the user named does not exist.
    func configurationFile() throws(SyncFailure) -> ConfigurationFile? {
        let named = stated("config", "HEALTHSYNC_CONFIG")
        guard
            let path = named.map({ paths.absolute($0.text, from: environment.workingDirectory) })
                ?? folder("XDG_CONFIG_HOME", below: "/.config").map({ $0 + "/healthsync/config.json" })
        else { return nil }
        guard try environment.files.status(of: path) != nil else {
            guard let named else { return nil }
            throw named.failure("no such file: \(path)", advice: "check the path")
        }
        let bytes: [UInt8]
        do {
            bytes = try environment.files.read(path, limit: 1 << 20)
        } catch  where error.code == .noInput {
            throw .configuration(path, error.reason, advice: error.advice)
        }
        return try ConfigurationFile(bytes, path: path)
    }

    func stated(_ option: String, _ variable: String) -> StatedValue? {
        // In `clear --server` the option has no value, so the text is empty.
        if let text = parsed.text(option), !text.isEmpty {
            return StatedValue(text: text, subject: "--\(option)", place: .option)
        }
        return self.variable(variable).map { StatedValue(text: $0, subject: variable, place: .environment) }
    }

    /// Returns `text` with its location in the configuration file, or `nil` if the file does not set it.
    func stated(_ text: String?, at key: String, of file: ConfigurationFile?) -> StatedValue? {
        guard let text, let file else { return nil }
        return StatedValue(text: text, subject: file.subject(key), place: .file)
    }

    /// Returns the value of a variable. An empty value counts as unset.
    func variable(_ name: String) -> String? { environment.variables[name].flatMap { $0.isEmpty ? nil : $0 } }

    private func list(_ name: String) -> [String]? {
        variable(name).map { $0.split(separator: ",").map(String.init) }
    }

    /// Returns an XDG folder. The XDG specification requires relative paths to be ignored.
    private func folder(_ name: String, below home: String) -> String? {
        if let folder = variable(name), folder.hasPrefix("/") { return folder }
        return variable("HOME").map { $0 + home }
    }

    private func sources(_ configuration: Configuration, folder: String) -> [String] {
        let locations = SourceLocations(environment)
        let options = parsed.texts("source")
        if !options.isEmpty { return options.map { locations.location($0, from: environment.workingDirectory) } }
        if let list = variable("HEALTHSYNC_SOURCE") {
            return locations.split(list).map { locations.location($0, from: environment.workingDirectory) }
        }
        return (configuration.sources ?? []).map { locations.location($0, from: folder) }
    }

    private func dataDirectory(_ configuration: Configuration, folder: String) throws(SyncFailure) -> String {
        if let stated = stated("data-dir", "HEALTHSYNC_DATA_DIR") {
            return paths.absolute(stated.text, from: environment.workingDirectory)
        }
        if let path = configuration.dataDirectory { return paths.absolute(path, from: folder) }
        guard let base = self.folder("XDG_DATA_HOME", below: "/.local/share") else {
            throw .configuration(
                "HOME", "not set, so there is no default data folder", advice: "name a folder with --data-dir")
        }
        return base + "/healthsync"
    }
}
