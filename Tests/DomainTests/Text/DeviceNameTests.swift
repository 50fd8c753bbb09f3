import HealthSyncDomain
import Testing

@Suite("Names of devices for display")
struct DeviceNameTests {
    @Test(
        "Name and hardware are shown; a text without HealthKit's labels is unchanged",
        arguments: [
            ("name:Apple Watch, manufacturer:Apple Inc., model:Watch, hardware:Watch7,9", "Apple Watch · Watch7,9"),
            (
                "name:Apple Watch, manufacturer:Apple Inc., model:Watch, hardware:Watch7,2, software:11.6.1",
                "Apple Watch · Watch7,2"
            ),
            ("name:iPhone, hardware:iPhone9,3", "iPhone · iPhone9,3"), ("model:Scale", "Scale"),
            ("name:Withings, Paris, model:WBS", "Withings, Paris"), ("Anna’s Watch", "Anna’s Watch"), ("", ""),
        ])
    func short(device: String, shown: String) {
        #expect(DeviceText.short(device) == shown)
    }
}
