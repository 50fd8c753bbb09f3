import Foundation
import HealthSyncDashboard
import HealthSyncDomain
import HealthSyncPorts
import HealthSyncTestTools
import Testing

@Suite("Style sheets and scripts")
struct WebAssetTests {
    @Test("Every file of Web is embedded under its own name")
    func embedded() throws {
        let names = try FileManager.default.contentsOfDirectory(
            atPath: ProjectFile.url("Sources/Adapters/Dashboard/Web").path)
        #expect(WebAsset.all.map(\.name).sorted() == names.sorted() && names.count > 3)
        for asset in WebAsset.all {
            #expect(try asset.text == ProjectFile.text("Sources/Adapters/Dashboard/Web/\(asset.name)"))
        }
    }

    @Test("They refer to no other host")
    func noOtherHost() {
        for asset in WebAsset.all {
            let text = asset.text.replacing("http://www.w3.org/2000/svg", with: "")
            #expect(!text.contains("//") && !text.contains("@import") && !text.contains("url("), "\(asset.name)")
        }
    }

    @Test("They are served without a login; pages are not")
    func served() async throws {
        let life = try Life(today: CalendarDay(ordinal: 19_000))
        for asset in WebAsset.all {
            #expect(life.pages.route(at: ["assets", asset.name])?.isAsset == true)
            #expect(
                await life.pages.answer(Life.request("/assets/\(asset.name)")).content
                    == .text(asset.text, type: asset.type))
        }
        #expect(life.pages.route(at: ["assets", "..", "base.css"])?.isAsset != true)
        #expect(life.pages.route(at: ["view", "sleep"])?.isAsset != true)
    }
}
