import HealthSyncDomain

/// The folders that contain time zone files, preferred first.
package struct ZoneFolders: Sendable {
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
