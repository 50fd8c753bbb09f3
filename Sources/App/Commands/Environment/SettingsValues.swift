import Foundation
import HealthSyncDomain
import HealthSyncPorts

// Settings that need more than a lookup.
extension SettingsResolver {
    func clock(_ file: ConfigurationFile?) throws(SyncFailure) -> DayClock {
        let home =
            stated("zone", "HEALTHSYNC_ZONE") ?? stated(file?.configuration.zone, at: "zone", of: file)
            ?? StatedValue(
                text: environment.time.systemZoneName(), subject: "the system's zone", place: .environment)
        var residences: [DayClock.Residence] = []
        for (index, stay) in (file?.configuration.timeZones ?? []).enumerated() {
            guard let zone = stated(stay.zone, at: "timeZones[\(index)].zone", of: file) else { continue }
            residences.append(DayClock.Residence(firstDay: stay.from, rules: try zone.zoneRules(environment.time)))
        }
        return DayClock(home: try home.zoneRules(environment.time), residences: residences)
    }

    func server(_ file: ConfigurationFile?, folder: String) throws(SyncFailure) -> Settings.Server? {
        guard
            let address = stated("server", "HEALTHSYNC_SERVER")
                ?? stated(file?.configuration.serverURL, at: "server.url", of: file)
        else { return nil }
        // Before the address is repeated in a message: it may contain a secret.
        let authority = address.text.firstRange(of: "://").map { address.text[$0.upperBound...].prefix { $0 != "/" } }
        guard authority?.contains("@") != true else {
            throw address.failure(
                "the URL contains a name or password", advice: "put the token into a file: --token-file FILE")
        }
        let formats = environment.factory.destinationFormats
        guard formats.contains(where: { $0.recognizes(address.text) }) else {
            throw address.failure(
                "no sender accepts \"\(address.text)\"",
                advice: "use \(formats.map(\.addressForm).joined(separator: " or "))")
        }
        return Settings.Server(url: address.text, token: try token(file, folder: folder))
    }

    /// Returns the token from a file or a variable. There is no option for it, because other users can see command
    /// lines.
    private func token(_ file: ConfigurationFile?, folder: String) throws(SyncFailure) -> String? {
        guard parsed.has("token-file") || variable("HEALTHSYNC_TOKEN") == nil,
            let stated = stated("token-file", "HEALTHSYNC_TOKEN_FILE")
                ?? stated(file?.configuration.tokenFile, at: "server.tokenFile", of: file)
        else {
            return try variable("HEALTHSYNC_TOKEN").map { text throws(SyncFailure) in
                try Self.checked(text, subject: "HEALTHSYNC_TOKEN")
            }
        }
        let path = paths.absolute(
            stated.text, from: stated.place == .file ? folder : environment.workingDirectory)
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

    func types(_ configuration: Configuration) throws(SyncFailure) -> Settings.Types {
        let names =
            try parsed.names("types") ?? variable("HEALTHSYNC_TYPES").map { $0.split(separator: ",").map(String.init) }
            ?? configuration.types
        guard let names else { return .ofMetrics }
        return names == ["all"] ? .all : .named(names)
    }

    /// Returns the locations of names. Names that an option or a variable overrides have none.
    func locationsOfNames(_ file: ConfigurationFile?) -> [String: String] {
        guard let file else { return [:] }
        var locations: [String: String] = [:]
        for (key, variable, names) in [
            ("metrics", "HEALTHSYNC_METRICS", file.configuration.metrics),
            ("types", "HEALTHSYNC_TYPES", file.configuration.types), ("raw", "HEALTHSYNC_RAW", file.configuration.raw),
        ] where parsed.text(key) == nil && self.variable(variable) == nil {
            for (index, name) in (names ?? []).enumerated() { locations[name] = file.subject("\(key)[\(index)]") }
        }
        return locations
    }

    func userProfileID(_ file: ConfigurationFile?) throws(SyncFailure) -> UUID? {
        guard
            let stated = stated("", "HEALTHSYNC_USER_PROFILE_ID")
                ?? stated(file?.configuration.userProfileID, at: "userProfileID", of: file)
        else { return nil }
        guard let id = UUID(uuidString: stated.text) else {
            throw stated.failure(
                "invalid UUID \"\(stated.text)\"", advice: "remove it to have one generated at first use")
        }
        return id
    }

    func lookBackDays(_ configuration: Configuration) throws(SyncFailure) -> Int? {
        let range = ConfigurationReader.lookBackDays
        if let days = try parsed.integer("days", in: range) { return days }
        guard let text = variable("HEALTHSYNC_LOOK_BACK_DAYS") else { return configuration.lookBackDays }
        guard let days = Int(text), range.contains(days) else {
            throw .configuration(
                "HEALTHSYNC_LOOK_BACK_DAYS",
                "\"\(text)\" is not a whole number from \(range.lowerBound) to \(range.upperBound)",
                advice: "change or unset the variable")
        }
        return days
    }

    func layering(_ configuration: Configuration) -> Settings.Layering {
        let standard = Settings.Layering.standard
        return Settings.Layering(
            stepsPerInterval: configuration.stepsPerInterval ?? standard.stepsPerInterval,
            samplesPerInterval: configuration.samplesPerInterval ?? standard.samplesPerInterval)
    }

    func inbox(_ stated: Configuration.Inbox) -> Settings.Inbox {
        let standard = Settings.Inbox.standard
        return Settings.Inbox(days: stated.days ?? standard.days, bytes: stated.bytes ?? standard.bytes)
    }

    func limits(_ stated: Configuration.Limits) throws(SyncFailure) -> Settings.Limits {
        let standard = Settings.Limits.standard
        return Settings.Limits(
            decompressedBytes: stated.decompressedBytes ?? standard.decompressedBytes,
            requestsInFlight: try parsed.integer("concurrency", in: 1...16) ?? stated.requestsInFlight
                ?? standard.requestsInFlight,
            requestTimeoutSeconds: stated.requestTimeoutSeconds ?? standard.requestTimeoutSeconds,
            lockWaitSeconds: stated.lockWaitSeconds ?? standard.lockWaitSeconds)
    }
}
