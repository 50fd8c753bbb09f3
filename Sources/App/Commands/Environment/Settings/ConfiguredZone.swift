import Foundation
import HealthSyncDomain
import HealthSyncPorts

/// The zone in the configuration after a run that derived all days in another one.
///
/// As long as the configuration states the former zone, every later command would ask for it again, and `daily` would end
/// with an error.
struct ConfiguredZone {
    private let context: CommandContext

    /// Throws `.usage` for `--save` without `--zone`.
    init(_ context: CommandContext) throws(SyncFailure) {
        self.context = context
        if context.parsed.has("save"), !context.parsed.has("zone") {
            throw .usage("--save", "there is no zone to save", advice: "add --zone ZONE")
        }
    }

    private var environment: CommandEnvironment { context.environment }

    /// Writes the zone of `--zone` to the configuration with `--save`, or if the user agrees on a terminal; otherwise tells
    /// the user that the configuration states another one.
    func settle(after status: ExitStatus) async throws {
        let saves = context.parsed.has("save")
        guard let zone = context.parsed.text("zone") else { return }
        // A run that failed may have left days in the former zone.
        guard status != .configuration, status != .usage, status != .metricFailed, status != .interrupted else {
            return
        }
        guard let path = SettingsResolver.configurationPath(environment, context.parsed)?.path else { return }
        let file = try SettingsResolver(environment: environment, parsed: context.parsed).file
        let stated = try file?[.zone]?.string()
        guard stated != zone, saves || stated != nil else { return }
        if !saves {
            let answer = try await BlockingWork.run("healthsync.question") { [environment] _ in
                context.parsed.has("json")
                    ? nil
                    : environment.confirm(
                        UntrustedText.escaped("\(path) states the zone \(stated ?? ""). Write \(zone) instead? [y/N] "))
            }
            guard answer == true else {
                if !context.parsed.has("json") {
                    context.warn(
                        "\(path) still states the zone \(stated ?? ""), so that `daily` will reject these days; "
                            + "`healthsync historical --zone \(zone) --save` changes it")
                }
                return
            }
        }
        try await Self.write(zone, to: path, environment)
        context.warn("\(path) states the zone \(zone) now")
    }

    /// Writes the zone to the configuration file at `path`, which need not exist.
    static func write(_ zone: String, to path: String, _ environment: CommandEnvironment) async throws {
        try await BlockingWork.run("healthsync.settings") { _ in
            let former =
                try environment.files.status(of: path) == nil
                ? nil : try environment.files.read(path, limit: SettingsResolver.largestFile)
            let changed = try configuration(former, zone: zone, path: path)
            try environment.files.makePrivateFolder((path as NSString).deletingLastPathComponent)
            try environment.files.replacePrivateFile(path, changed)
        }
    }

    /// Returns the configuration with another zone. Everything else stays as the user wrote it.
    static func configuration(_ former: [UInt8]?, zone: String, path: String) throws(SyncFailure) -> [UInt8] {
        let text = Array(JSONText.line(.string(zone)).utf8)
        guard let former else { return Array("{\n  \"zone\": ".utf8) + text + Array("\n}\n".utf8) }
        let file = try ConfigurationFile(former, path: path)
        if let node = file[.zone] {
            let start = node.element.offset
            guard let length = stringLength(former[start...]) else {
                throw .configuration(path, "the zone cannot be replaced", advice: "edit it")
            }
            return Array(former[..<start]) + text + Array(former[(start + length)...])
        }
        // After the brace of the document, before its first member if it has any.
        guard let brace = former.firstIndex(of: UInt8(ascii: "{")) else {
            throw .configuration(path, "the zone cannot be added", advice: "edit it")
        }
        let rest = former[(brace + 1)...]
        let isEmpty = rest.first { !" \t\r\n".utf8.contains($0) } == UInt8(ascii: "}")
        return Array(former[...brace]) + Array("\n  \"zone\": ".utf8) + text + (isEmpty ? [0x0A] : [0x2C]) + Array(rest)
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
