import HealthSyncDomain
import Testing

struct OriginPriorityTests {
    private func device(_ hardware: String, name: String = "iPhone") -> String {
        "name:\(name), manufacturer:Apple Inc., model:\(name), hardware:\(hardware), software:17.2"
    }

    @Test func devicesAreOrderedByClass() {
        let ascending = [
            SampleOrigin(sourceName: "~ Health", isUserEntered: true),
            SampleOrigin(sourceName: "Zoe’s Apple Watch"), SampleOrigin(sourceName: "Z Mi Band 7"),
            SampleOrigin(sourceName: "Z iPhone"), SampleOrigin(sourceName: "A diary"),
        ]
        let priority = OriginPriority()
        #expect(ascending.reversed().sorted { priority.precedes($0, $1) } == ascending)
    }

    @Test(arguments: [
        "Husband’s iPhone", "Husband's iPhone", "Watchara’s iPhone", "Ring’s iPhone", "BAND’S IPHONE",
        "iPhone de Corinne", "Sonnerings Smartphone", "Phone 15", "iPhone von Frau Ring", "花子のiPhone", "Spring Phone",
    ])
    func aNameThatOnlyContainsAKeywordIsAPhone(name: String) { expectPhone(SampleOrigin(sourceName: name)) }

    @Test("A preferred name matches with no-break spaces and decomposed letters, and one of no source is reported")
    func preferredNames() {
        let watch = SampleOrigin(sourceName: "Anna’s Cafe\u{301} Apple\u{A0}Watch")
        let phone = SampleOrigin(sourceName: "iPhone")
        let names = ["Anna’s Caf\u{E9} Apple Watch", "iPhone", "Bob’s\u{A0}iPhone"]
        let priority = OriginPriority(preferredNames: names)
        #expect(priority.precedes(watch, phone))
        #expect(!OriginPriority(preferredNames: names.reversed()).precedes(watch, phone))
        #expect(priority.unknownNames(among: [watch, phone].map(\.sourceName)) == ["Bob’s\u{A0}iPhone"])
        #expect(priority.unknownNames(among: names).isEmpty)
    }

    @Test func theDeviceOutranksTheNameOfTheSource() {
        expectPhone(SampleOrigin(sourceName: "Watch Your Steps", device: device("iPhone15,2")))
        expectPhone(SampleOrigin(sourceName: "Ring", device: "iPhone 15"))
        let watch = SampleOrigin(sourceName: "Anna’s iPhone", device: device("Watch7,2", name: "Apple Watch"))
        #expect(OriginPriority().precedes(watch, SampleOrigin(sourceName: "A Mi Band")))
    }

    @Test(arguments: ["MiBand", "Mi Smart Band 6", "Oura", "Garmin Connect", "RingConn", "Fitbit", "Anna’s ring"])
    func bandsAndRingsComeBeforePhones(name: String) {
        let band = SampleOrigin(sourceName: name)
        #expect(OriginPriority().precedes(band, SampleOrigin(sourceName: " iPhone")))
        #expect(OriginPriority().precedes(SampleOrigin(sourceName: "~ Apple Watch"), band))
    }

    /// Expects the rank of a phone: after every band and before every other app.
    private func expectPhone(_ origin: SampleOrigin) {
        let priority = OriginPriority()
        #expect(priority.precedes(SampleOrigin(sourceName: "~ Band"), origin), "\(origin.sourceName)")
        #expect(priority.precedes(origin, SampleOrigin(sourceName: " diary")), "\(origin.sourceName)")
    }
}
