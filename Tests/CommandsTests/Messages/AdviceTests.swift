import Foundation
import HealthSyncCommands
import HealthSyncDomain
import Testing

@Suite("Advice")
struct AdviceTests {
    @Test("Every command line in a message is valid")
    func commandLines() throws {
        let parser = CommandLineParser(commands: CommandTable.declarations)
        let found = try Self.commandLines()
        #expect(found.count > 30)
        for (location, line) in found {
            do {
                _ = try parser.parse(line.split(separator: " ").map(String.init))
            } catch {
                Issue.record("\(location): `healthsync \(line)`: \(error.description)")
            }
        }
    }

    /// Returns the command lines between backquotes in string literals, with `x` for interpolations. Keeps placeholders and
    /// skips usage lines with brackets.
    private static func commandLines() throws -> [(location: String, line: String)] {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("Sources")
        let files = try #require(FileManager.default.enumerator(atPath: root.path))
        var found: [(String, String)] = []
        for case let path as String in files where path.hasSuffix(".swift") {
            let text = try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
            guard text.utf8.contains(UInt8(ascii: "`")) else { continue }
            for (number, line) in text.components(separatedBy: "\n").enumerated()
            where !line.trimmingCharacters(in: .whitespaces).hasPrefix("//") {
                for part in line.components(separatedBy: "`") where part.hasPrefix("healthsync ") {
                    let words = part.dropFirst("healthsync ".count).replacing(/\\\([^)]*\)/, with: "x")
                    guard !words.contains("["), !words.hasPrefix("help ") else { continue }
                    found.append(("\(path):\(number + 1)", String(words)))
                }
            }
        }
        return found
    }
}
