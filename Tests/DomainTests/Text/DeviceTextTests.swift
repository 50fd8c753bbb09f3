import HealthSyncDomain
import Testing

@Suite("The stable part of a device")
struct DeviceTextTests {
    @Test(
        "Name, manufacturer, model and hardware are kept; parts that change with updates and restores are removed",
        arguments: [
            ("", ""), ("iPhone 15", "iPhone 15"), ("Anna, her phone: new", "Anna, her phone: new"),
            (
                "name:Apple Watch, manufacturer:Apple Inc., model:Watch, hardware:Watch7,2, software:11.6.1",
                "name:Apple Watch, manufacturer:Apple Inc., model:Watch, hardware:Watch7,2"
            ),
            (
                "name:iPhone, software:17.2, creation date:2024-10-01 08:00:00 +0000, model:iPhone",
                "name:iPhone, model:iPhone"
            ),
            ("name:Band, One, firmware:2, localIdentifier:7F, hardware:3", "name:Band, One, hardware:3"),
            ("software:1", ""), ("Band, software:1", "Band"), ("names:a, software", "names:a, software"),
            ("name:A: b, , software:1", "name:A: b, "),
        ])
    func stablePart(_ text: String, _ stable: String) {
        #expect(DeviceText.stablePart(of: text) == stable)
        #expect(DeviceText.stablePart(of: stable) == stable)
        #expect(SampleOrigin(sourceName: "s", device: text).recorder == "s\u{1F}\(stable)")
    }
}
