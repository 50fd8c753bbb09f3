import HealthSyncDomain

/// The folders in which systems keep time zone files, the preferred one first.
package struct ZoneFolders: Sendable {
    private let paths: [String]
    private let files = PosixFiles()

    /// The folder that `TZDIR` names in `environment`, then the usual ones.
    package init(environment: [String: String]) {
        let stated = environment["TZDIR"].flatMap { $0.hasPrefix("/") ? $0 : nil }
        paths = (stated.map { [$0] } ?? []) + Self.usual
    }

    /// The first readable file of the zone called `name`, and its folder.
    ///
    /// A file that is malformed is skipped like one that is missing.
    func file(named name: String) -> (folder: String, file: ZoneFile)? {
        for path in paths {
            guard let bytes = try? files.read("\(path)/\(name)", limit: Self.largestFile),
                let file = try? ZoneFile(bytes)
            else { continue }
            return (path, file)
        }
        return nil
    }

    /// The release of the database in `folder`: the whole of `+VERSION` or `version`, or the first line of `tzdata.zi`,
    /// which is `# version 2025b`.
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
