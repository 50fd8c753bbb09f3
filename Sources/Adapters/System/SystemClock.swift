import Foundation
package import HealthSyncDomain
package import HealthSyncPorts
import Synchronization

/// The system clock.
package struct SystemClock: TimeSource {
    // The system clock may be set back during a run; the latest value is a lower bound for the next.
    private static let latest = Atomic<Int64>(.min)

    private let zoneName: SystemZoneName
    private let zones: SystemZones

    /// Creates a clock that finds the system's zone and its rules through `TZ` and `TZDIR` of `environment`, if they
    /// are set.
    package init(environment: [String: String] = ProcessInfo.processInfo.environment) {
        zoneName = SystemZoneName(environment: environment)
        zones = SystemZones(folders: ZoneFolders(environment: environment))
    }

    package func now() -> Instant {
        let milliseconds = Int64((Date().timeIntervalSince1970 * 1000).rounded(.down))
        return Instant(milliseconds: Self.latest.max(milliseconds, ordering: .relaxed).newValue)
    }

    package func wait(milliseconds: Int64) async throws {
        try await Task.sleep(for: .milliseconds(max(0, milliseconds)))
    }

    package func systemZoneName() -> String { zoneName.name() }

    package func zoneRules(named name: String) throws(UnknownTimeZone) -> ZoneRules { try zones.rules(named: name) }

    package func zoneDatabase(of name: String) -> ZoneDatabase { zones.database(of: name) }
}

/// Finds the name of the system's zone in `TZ`, the link at `/etc/localtime`, or `/etc/timezone`.
private struct SystemZoneName {
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

/// The zone rules of the system: its time zone files, or Foundation's rules for a zone that has no file.
private final class SystemZones: Sendable {
    private let folders: ZoneFolders
    private let known = Mutex<[String: ZoneRules]>([:])

    package init(folders: ZoneFolders) { self.folders = folders }

    /// Returns the rules of the zone `name`; throws `UnknownTimeZone` if it does not exist. Each file is read once.
    package func rules(named name: String) throws(UnknownTimeZone) -> ZoneRules {
        if let rules = known.withLock({ $0[name] }) { return rules }
        guard ZoneRules.isIANAName(name) else { throw UnknownTimeZone(identifier: name) }
        let rules: ZoneRules
        if let (_, file) = folders.file(named: name) {
            rules = file.rules(identifier: name)
        } else {
            rules = try ZoneRules(identifier: name)
        }
        known.withLock { $0[name] = rules }
        return rules
    }

    /// Returns the origin of the rules of the zone `name`.
    package func database(of name: String) -> ZoneDatabase {
        guard ZoneRules.isIANAName(name), let (folder, _) = folders.file(named: name) else {
            return ZoneDatabase(folder: nil, version: nil)
        }
        return ZoneDatabase(folder: folder, version: folders.version(of: folder))
    }
}

/// The folders that contain time zone files, preferred first.
private struct ZoneFolders: Sendable {
    private let paths: [String]
    private let files = PosixFiles()

    /// Uses the folder in `TZDIR` of `environment`, then the usual ones.
    package init(environment: [String: String]) {
        let stated = environment["TZDIR"].flatMap { $0.hasPrefix("/") ? $0 : nil }
        paths = (stated.map { [$0] } ?? []) + Self.usual
    }

    /// Returns the first readable file of the zone `name`, and its folder.
    ///
    /// A malformed file is skipped like a missing one.
    func file(named name: String) -> (folder: String, file: ZoneFile)? {
        for path in paths {
            guard let bytes = try? files.read("\(path)/\(name)", limit: Self.largestFile),
                let file = try? ZoneFile(bytes)
            else { continue }
            return (path, file)
        }
        return nil
    }

    /// Returns the release of the database in `folder`, from `+VERSION`, from `version`, or from the first line of
    /// `tzdata.zi` (`# version 2025b`).
    func version(of folder: String) -> String? {
        for name in ["+VERSION", "tzdata.zi", "version"] {
            guard let bytes = try? files.read("\(folder)/\(name)", limit: Self.largestFile) else { continue }
            let line = String(decoding: bytes.prefix(64).prefix { $0 != 0x0A }, as: UTF8.self)
            let word = line.split(separator: " ").last.map(String.init) ?? ""
            if word.count >= 5, word.utf8.prefix(4).allSatisfy({ (0x30...0x39).contains($0) }) { return word }
        }
        return nil
    }

    private static let usual = [
        "/usr/share/zoneinfo", "/usr/lib/zoneinfo", "/usr/share/lib/zoneinfo", "/etc/zoneinfo",
        "/var/db/timezone/zoneinfo",
    ]

    private static let largestFile = 1 << 20
}

/// A clock that measures durations. Its instants count from an arbitrary one and never jump, whatever the time of day is
/// set to.
package struct MonotonicClock: TimeSource {
    private let clock: any TimeSource
    private let start = SuspendingClock.now

    /// Creates a clock with the zones of `clock`.
    package init(zonesOf clock: any TimeSource) { self.clock = clock }

    package func now() -> Instant {
        let (seconds, attoseconds) = start.duration(to: SuspendingClock.now).components
        return Instant(milliseconds: seconds * 1_000 + attoseconds / 1_000_000_000_000_000)
    }

    package func wait(milliseconds: Int64) async throws { try await clock.wait(milliseconds: milliseconds) }
    package func systemZoneName() -> String { clock.systemZoneName() }
    package func zoneRules(named name: String) throws(UnknownTimeZone) -> ZoneRules { try clock.zoneRules(named: name) }
    package func zoneDatabase(of name: String) -> ZoneDatabase { clock.zoneDatabase(of: name) }
}

/// The system's random number generator.
package struct SystemRandom: RandomSource {
    package init() {}

    package func fraction() -> Double { Double.random(in: 0..<1) }

    package func bytes(_ count: Int) -> [UInt8] {
        var generator = SystemRandomNumberGenerator()
        return (0..<max(0, count)).map { _ in generator.next() }
    }
}
