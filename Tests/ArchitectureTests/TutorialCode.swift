import Foundation

/// Checks that the Swift code in tutorials is the code of the example packages, which `make check` compiles.
struct TutorialCode {
    /// The folder with the tutorials, `adding-a-*.md`.
    let pages: URL
    /// The folder with the example packages.
    let examples: URL

    /// Returns `page: line` for each Swift block that no file of an example contains, and each tutorial without a block.
    func violations() throws -> [String] {
        let sources = try exampleSources()
        let names = try FileManager.default.contentsOfDirectory(atPath: pages.path).sorted()
        return try names.filter { $0.hasPrefix("adding-a-") && $0.hasSuffix(".md") }.flatMap { name in
            let text = try String(contentsOf: pages.appendingPathComponent(name), encoding: .utf8)
            let blocks = Self.swiftBlocks(of: text)
            guard !blocks.isEmpty else { return ["\(name): no Swift code"] }
            return blocks.filter { block in !sources.contains { $0.contains(block.code) } }
                .map { "\(name):\($0.line): no file of Examples contains this code" }
        }
    }

    private func exampleSources() throws -> [String] {
        let paths = try FileManager.default.subpathsOfDirectory(atPath: examples.path)
        return try paths.filter { $0.hasSuffix(".swift") && !$0.contains(".build/") }.map {
            "\n" + (try String(contentsOf: examples.appendingPathComponent($0), encoding: .utf8))
        }
    }

    /// The whole lines between each "```swift" and the next "```".
    private static func swiftBlocks(of text: String) -> [(line: Int, code: String)] {
        var blocks: [(line: Int, code: String)] = []
        var isInside = false
        for (index, line) in text.components(separatedBy: "\n").enumerated() {
            if !isInside, line.hasPrefix("```swift") {
                isInside = true
                blocks.append((index + 1, "\n"))
            } else if line.hasPrefix("```") {
                isInside = false
            } else if isInside {
                blocks[blocks.count - 1].code += line + "\n"
            }
        }
        return blocks
    }
}
