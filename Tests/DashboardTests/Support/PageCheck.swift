import Foundation
import HealthSyncTestTools

/// Checks pages with `check_pages.py`, which uses Python's HTML parser.
enum PageCheck {
    struct Verdict: Decodable {
        let problems: [String]
        /// The exact values of the figures, in the order of the page.
        let data: [String]
        /// All text, with single spaces.
        let text: String
        let links: [String]
    }

    /// Returns the verdict of each of `pages`, which are HTML by name.
    static func verdicts(_ pages: [String: String]) async throws -> [String: Verdict] {
        let folder = try TemporaryFolder()
        for (name, html) in pages { try folder.write(html, as: "\(name).html") }
        let output = try await Peer.output(of: "display/check_pages.py", [folder.path])
        let verdicts = try JSONDecoder().decode([String: Verdict].self, from: output)
        return Dictionary(uniqueKeysWithValues: verdicts.map { (String($0.key.dropLast(5)), $0.value) })
    }
}
