import Foundation
import HealthSyncDashboard
import HealthSyncDomain
import HealthSyncPorts
import HealthSyncTestTools
import Testing

@Suite("Files of the pages")
struct WebAssetTests {
    private let folder = ProjectFile.url("Sources/Adapters/Dashboard/Web")

    @Test("The program carries exactly the files of Web; run .ci/embed-web after a change")
    func embedded() throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
        #expect(WebAsset.all.map(\.name).sorted() == names && names.count > 3)
        for asset in WebAsset.all {
            let text = try String(contentsOf: folder.appendingPathComponent(asset.name), encoding: .utf8)
            #expect(asset.text == text, "\(asset.name)")
        }
    }

    @Test("Nothing in them leads outside")
    func stayHome() {
        for asset in WebAsset.all {
            let text = asset.text.replacing("http://www.w3.org/2000/svg", with: "")
            #expect(!text.contains("//") && !text.contains("@import") && !text.contains("url("), "\(asset.name)")
        }
    }

    @Test("Everybody may have them, and they are no pages of a person")
    func served() async throws {
        let life = try Life(today: CalendarDay(ordinal: 19_000))
        for asset in WebAsset.all {
            #expect(life.pages.isAsset(["assets", asset.name]))
            #expect(
                await life.pages.answer(Life.request("/assets/\(asset.name)")).content
                    == .text(asset.text, type: asset.type))
        }
        #expect(!life.pages.isAsset(["assets", "..", "base.css"]))
        #expect(!life.pages.isAsset(["view", "sleep"]))
    }
}
