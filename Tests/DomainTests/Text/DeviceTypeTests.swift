import HealthSyncDomain
import Testing

/// The type of a device that Health Connect states, as a part of its text.
struct DeviceTypeTests {
    @Test(arguments: [
        ("manufacturer:samsung, model:SM-R960", "manufacturer:samsung, model:SM-R960, type:watch"),
        ("", "type:watch"), ("model:a, type:b", "model:a, type:b, type:watch"),
    ])
    func theTypeIsTheLastPart(text: String, typed: String) {
        #expect(DeviceText.adding(type: "watch", to: text) == typed)
        #expect(DeviceText.withoutType(typed) == text)
        #expect(DeviceText.stablePart(of: typed + ", software:11") == typed)
        #expect(DeviceClass.isNamed(in: typed))
    }

    @Test(arguments: ["", "manufacturer:samsung", "model:type:x", "name:a, prototype:b", "type:a, model:b"])
    func anotherTextHasNoType(text: String) { #expect(DeviceText.withoutType(text) == nil) }

    @Test(arguments: [
        ("model:SM-R960, type:watch", "SM-R960"), ("type:watch", "type:watch"),
        ("name:Apple Watch, hardware:Watch7,2", "Apple Watch · Watch7,2"),
    ])
    func theTypeIsNotPartOfTheModel(text: String, short: String) { #expect(DeviceText.short(text) == short) }
}
