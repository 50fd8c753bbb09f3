import Foundation
import HealthSyncTestTools
import Testing

@Suite("The code of tutorials")
struct TutorialTests {
    @Test("Every Swift block of a tutorial is code of an example package")
    func blocks() throws {
        let pages = ProjectFile.url("docs")
        #expect(try TutorialCode(pages: pages, examples: ProjectFile.url("Examples")).violations() == [])
        let names = try FileManager.default.contentsOfDirectory(atPath: pages.path)
        #expect(names.contains("adding-a-metric.md"))
    }

    @Test(
        "A block that differs from the examples is found",
        arguments: [
            ("```swift\nlet a = 1\n```", 0), ("```swift\nlet a = 2\n```", 1), ("```swift\nlet a =\n```", 1),
            ("Text only", 1), ("```swift\nlet a = 1\n```\n\n```sh\nls\n```\n\n```swift\nlet b = 1\n```", 1),
        ])
    func differences(page: String, count: Int) throws {
        let folder = try TemporaryFolder()
        let root = URL(fileURLWithPath: folder.path)
        try page.write(to: root.appendingPathComponent("adding-a-thing.md"), atomically: true, encoding: .utf8)
        try "let a = 1\n".write(to: root.appendingPathComponent("Thing.swift"), atomically: true, encoding: .utf8)
        #expect(try TutorialCode(pages: root, examples: root).violations().count == count)
    }
}
