import Foundation
import HealthSyncDomain
import HealthSyncPorts

/// The options of a run that the user wants to keep in the configuration: the zone, the server and its token file.
///
/// They are written before the first day is derived. A run that is interrupted while it derives or delivers then has days in a zone
/// that the configuration states, and the next run continues it instead of deriving all days back.
struct SavedOptions {
    private let context: CommandContext

    static let option = OptionDeclaration.flag("save", "Write --zone, --server and --token-file to the configuration")

    /// Throws `.usage` for `--save` without an option that it writes.
    init(_ context: CommandContext) throws(SyncFailure) {
        self.context = context
        if context.parsed.has("save"), !Self.settings.contains(where: { context.parsed.has($0.option ?? "") }) {
            throw .usage("--save", "there is nothing to save", advice: "add --zone ZONE or --server URL")
        }
    }

    private static let settings: [Setting] = [.zone, .serverURL, .tokenFile]

    private var environment: CommandEnvironment { context.environment }

    /// A value that is to be written to the configuration.
    struct Change: Sendable {
        let setting: Setting
        let value: String
    }

    /// The decision of the user.
    struct Decision: Sendable {
        var changes: [Change] = []
        /// The file that they concern; `nil` without a home folder.
        var path: String?
        /// The zone that the configuration states and that the user kept; `nil` if there is no contradiction.
        var keptZone: String?
    }

    /// Returns what to write. Asks on a terminal whether to replace a zone that the configuration states, unless `--save` was given.
    func decision() async throws -> Decision {
        guard let path = SettingsResolver.configurationPath(environment, context.parsed)?.path else {
            return Decision()
        }
        let file = try SettingsResolver(environment: environment, parsed: context.parsed).file
        var decision = Decision(path: path)
        if context.parsed.has("save"), let server = context.parsed.text("server"), !context.parsed.has("token-file"),
            let known = try file?[.serverURL]?.string(), !SettingsResolver.isSameServer(known, server),
            file?[.tokenFile] != nil
        {
            throw SyncFailure.usage(
                "--save", "\(path) states the token file of another server",
                advice: "add --token-file FILE, or edit \(path)")
        }
        for setting in Self.settings {
            guard let option = setting.option, let stated = context.parsed.text(option) else { continue }
            let value = setting.key == Setting.tokenFile.key ? context.absolutePath(stated) : stated
            let former = try file?[setting]?.string()
            guard former != value else { continue }
            if context.parsed.has("save") {
                decision.changes.append(Change(setting: setting, value: value))
            } else if setting.key == Setting.zone.key, let former {
                if try await agrees(to: value, insteadOf: former, in: path) {
                    decision.changes.append(Change(setting: setting, value: value))
                } else {
                    decision.keptZone = former
                }
            }
        }
        return decision
    }

    /// Writes what the user decided, and says so.
    func write(_ decision: Decision) async throws {
        guard let path = decision.path, !decision.changes.isEmpty else { return }
        try await Self.write(decision.changes, to: path, environment)
        let words = decision.changes.map { change in
            switch change.setting.key {
            case Setting.zone.key: "the zone \(change.value)"
            case Setting.serverURL.key: "the server \(change.value)"
            default: "the token file \(change.value)"
            }
        }
        context.warn("\(path) states \(words.joined(separator: " and ")) now")
    }

    /// Tells the user that the configuration states another zone than the days now have.
    func warn(of decision: Decision, after status: ExitStatus) {
        guard let path = decision.path, let stated = decision.keptZone, let zone = context.parsed.text("zone"),
            !context.parsed.has("json"), status != .configuration, status != .usage
        else { return }
        context.warn(
            "\(path) still states the zone \(stated), so that `daily` will reject these days; "
                + "`healthsync historical --zone \(zone) --save` changes it")
    }

    private func agrees(to zone: String, insteadOf former: String, in path: String) async throws -> Bool {
        guard !context.parsed.has("json") else { return false }
        return try await BlockingWork.run("healthsync.question") { [environment] _ in
            environment.confirm(
                UntrustedText.escaped("\(path) states the zone \(former). Write \(zone) instead? [y/N] "))
        } ?? false
    }

    /// Writes values to the configuration file at `path`, which need not exist.
    static func write(_ changes: [Change], to path: String, _ environment: CommandEnvironment) async throws {
        try await BlockingWork.run("healthsync.settings") { _ in
            var bytes =
                try environment.files.status(of: path) == nil
                ? nil : try environment.files.read(path, limit: SettingsResolver.largestFile)
            for change in changes {
                bytes = try configuration(
                    bytes, with: change, path: path, handlers: environment.factory.plugInHandlers)
            }
            guard let bytes else { return }
            try environment.files.makePrivateFolder((path as NSString).deletingLastPathComponent)
            try environment.files.replacePrivateFile(path, bytes)
        }
    }

    /// Returns the configuration with another value. Everything else stays as the user wrote it.
    private static func configuration(
        _ former: [UInt8]?, with change: Change, path: String, handlers: [any HealthMetricSyncHandler]
    ) throws(SyncFailure) -> [UInt8] {
        let bytes = former ?? Array("{\n}\n".utf8)
        let file = try ConfigurationFile(bytes, path: path, handlers: handlers)
        let text = JSONText.line(.string(change.value))
        if let node = file[change.setting] {
            let start = node.element.offset
            guard let length = stringLength(bytes[start...]) else {
                throw cannotWrite(change.setting, path)
            }
            return Array(bytes[..<start]) + Array(text.utf8) + Array(bytes[(start + length)...])
        }
        let names = change.setting.key.split(separator: ".").map(String.init)
        if names.count == 2, let group = file.group(names[0]) {
            return try inserting(
                "\n    \"\(names[1])\": \(text)", at: group.element.offset, in: bytes, change.setting, path)
        }
        let member =
            names.count == 1
            ? "\n  \"\(names[0])\": \(text)" : "\n  \"\(names[0])\": {\n    \"\(names[1])\": \(text)\n  }"
        let brace = bytes.firstIndex(of: UInt8(ascii: "{")) ?? 0
        return try inserting(member, at: brace, in: bytes, change.setting, path)
    }

    /// Returns the document with a member after the brace at `brace`, before the first member of that object if it has any.
    private static func inserting(
        _ member: String, at brace: Int, in bytes: [UInt8], _ setting: Setting, _ path: String
    ) throws(SyncFailure) -> [UInt8] {
        guard bytes[brace] == UInt8(ascii: "{") else { throw cannotWrite(setting, path) }
        let rest = bytes[(brace + 1)...]
        let next = rest.first { !" \t\r\n".utf8.contains($0) }
        // An object without members keeps the line break before its closing brace.
        let separator: [UInt8] = next != UInt8(ascii: "}") ? [0x2C] : rest.first == next ? [0x0A] : []
        return Array(bytes[...brace]) + Array(member.utf8) + separator + Array(rest)
    }

    private static func cannotWrite(_ setting: Setting, _ path: String) -> SyncFailure {
        .configuration(path, "\"\(setting.key)\" cannot be written", advice: "edit the file")
    }

    /// Returns the number of bytes of the JSON string with which `bytes` begin, its quotes included.
    private static func stringLength(_ bytes: ArraySlice<UInt8>) -> Int? {
        guard bytes.first == UInt8(ascii: "\"") else { return nil }
        var place = bytes.startIndex + 1
        while place < bytes.endIndex {
            switch bytes[place] {
            case UInt8(ascii: "\""): return place + 1 - bytes.startIndex
            case UInt8(ascii: "\\"): place += 2
            default: place += 1
            }
        }
        return nil
    }
}
