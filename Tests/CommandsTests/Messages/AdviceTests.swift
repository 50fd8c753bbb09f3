import Foundation
import HealthSyncCommands
import HealthSyncDomain
import Testing

@Suite("Advice")
struct AdviceTests {
    @Test("Every command line that the sources name is one that the program takes")
    func commandLines() throws {
        let parser = CommandLineParser(commands: CommandTable.declarations)
        let found = try Self.commandLines()
        #expect(found.count > 30)
        for (place, line) in found {
            do {
                _ = try parser.parse(line.split(separator: " ").map(String.init))
            } catch {
                Issue.record("\(place): `healthsync \(line)`: \(error.description)")
            }
        }
    }

    /// Command lines in literals, between backquotes as advice has them, with `x` for what is put in while running. Words that
    /// a person is to replace stand as they are, and what an overview shows in brackets is none.
    private static func commandLines() throws -> [(place: String, line: String)] {
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
