import Foundation
import HealthSyncTestTools

/// Finds tests that fail because a machine is slow: they wait for a number of seconds of their own instead of
/// `PATIENCE`, which only a test that hangs reaches.
enum TestDeadlines {
    /// Returns `path:line: text` for each violation in the Python files below `root`.
    static func violations(below root: URL) throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: root.path).filter { $0.hasSuffix(".py") }.sorted()
            .flatMap { path in
                let text = try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
                return text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
                    .compactMap { isDeadline($1) ? "\(path):\($0 + 1): \($1)" : nil }
            }
    }

    static func isDeadline(_ line: Substring) -> Bool {
        // 1200 is the patience of files that are programs of their own. Who waits again and again may wait a second.
        let line = line.replacing("1200", with: "PATIENCE")
        return line.contains(/timeout=\d/) || line.contains(/monotonic\(\) \+ \d/)
            || line.contains(/select\(.*, \d+\)/) || line.contains(/settimeout\((0|\d\d|[2-9])/)
            || line.contains(/(wait|join)\(\d\d/)
    }
}
