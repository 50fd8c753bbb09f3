import Foundation
import HealthSyncTestTools

/// What `check_pages.py`, an HTML parser that is not ours, says of pages.
enum PageJudge {
    struct Verdict: Decodable {
        let problems: [String]
        /// Exact values of the figures, in their order.
        let data: [String]
        /// All text, with single spaces.
        let text: String
        let links: [String]
    }

    /// Verdicts by page name.
    static func verdicts(_ pages: [String: String]) async throws -> [String: Verdict] {
        let folder = try TemporaryFolder()
        for (name, html) in pages { try folder.write(html, as: "\(name).html") }
        let output = try await Peer.output(of: "display/check_pages.py", [folder.path])
        let verdicts = try JSONDecoder().decode([String: Verdict].self, from: output)
        return Dictionary(uniqueKeysWithValues: verdicts.map { (String($0.key.dropLast(5)), $0.value) })
    }
}
