import Foundation
import HealthSyncDomain

/// Finds the name of the system's zone in `TZ`, the link at `/etc/localtime`, or `/etc/timezone`.
struct SystemZoneName {
    let environment: [String: String]
    /// The folder used as `/`.
    var root = ""

    /// Returns `TZ` unchanged, so that loading the rules of a misspelled zone fails (the C library would use UTC);
    /// without `TZ` the system's zone.
    func name() -> String {
        guard let stated = environment["TZ"] else {
            return linked("/etc/localtime") ?? written() ?? TimeZone.current.identifier
        }
        let name = stated.hasPrefix(":") ? String(stated.dropFirst()) : stated
        if name.isEmpty { return "UTC" }
        guard name.hasPrefix("/") else { return name }
        return Self.zone(inPath: name) ?? linked(name) ?? name
    }

    /// Returns the zone at the end of a chain of links.
    private func linked(_ path: String) -> String? {
        var path = path
        for _ in 0..<8 {
            guard let target = try? FileManager.default.destinationOfSymbolicLink(atPath: root + path) else {
                return nil
            }
            if let zone = Self.zone(inPath: target) { return zone }
            path = target.hasPrefix("/") ? target : (path as NSString).deletingLastPathComponent + "/" + target
        }
        return nil
    }

    private func written() -> String? {
        guard let bytes = try? PosixFiles().read(root + "/etc/timezone", limit: 4_096) else { return nil }
        let line = String(decoding: bytes.prefix { $0 != 0x0A }, as: UTF8.self).trimmingCharacters(in: .whitespaces)
        return ZoneRules.isIANAName(line) ? line : nil
    }

    /// Returns the zone of a path such as `/usr/share/zoneinfo/Europe/Paris`.
    private static func zone(inPath path: String) -> String? {
        guard let folder = path.range(of: "/zoneinfo/") else { return nil }
        let name = String(path[folder.upperBound...])
        return ZoneRules.isIANAName(name) && name != "localtime" ? name : nil
    }
}
