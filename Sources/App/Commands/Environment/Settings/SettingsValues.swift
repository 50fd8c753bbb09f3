import Foundation
import HealthSyncDomain
import HealthSyncPorts

// Settings that need more than a lookup.
extension SettingsResolver {
    func clock() throws(SyncFailure) -> DayClock {
        let home =
            try text(.zone)
            ?? StatedValue(
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
    private func folder(of place: StatedValue.Place) -> String {
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
    private static func requireNoSecret(in address: StatedValue) throws(SyncFailure) {
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
        guard parsed.has("token-file") || variable == nil, let stated = try text(.tokenFile) else {
            return try variable.map { stated throws(SyncFailure) in
                try Self.checked(stated.text, subject: stated.subject)
            }
        }
        return try token(in: stated)
    }

    /// Returns the token in a file, which only the user may read.
    private func token(in stated: StatedValue) throws(SyncFailure) -> String {
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
