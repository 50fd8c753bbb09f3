import Foundation
import HealthSyncTestTools

/// Finds tests that fail because a machine is slow: they wait for a number of seconds of their own instead of
/// `PATIENCE`, which only a test that hangs reaches.
enum TestDeadlines {
    /// 1200 is the patience of files that run as programs of their own. Repeated waits may take a second each. The limit of
    /// libFuzzer (` -timeout=`) applies to an input, not to the run.
    private static let pattern =
        #"(?<! -)timeout=(?!1200\b)\d|monotonic\(\) \+ (?!1200\b)\d|select\(.*, (?!1200\b)\d+\)"#
        + #"|settimeout\((?!1200\b)(0|\d\d|[2-9])|(wait|join)\((?!1200\b)\d\d|for _ in \$\(seq"#

    /// Returns `path:line: text` for each violation in the files below `root` whose name ends with `suffix`.
    static func violations(below root: URL, suffix: String) throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: root.path).filter { $0.hasSuffix(suffix) }.sorted()
            .flatMap { path in
                let text = try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
                return try deadlines(in: text).map { "\(path):\($0): \($1)" }
            }
    }

    static func deadlines(in text: String) throws -> [(line: Int, found: Substring)] {
        try NSRegularExpression(pattern: pattern).places(in: text)
    }
}
