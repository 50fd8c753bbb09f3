import HealthSyncDomain
import Testing

@Suite("The account of a reading")
struct SourceReadingTests {
    @Test("Records that are not selected are counted by type, for at most a hundred types")
    func notSelected() {
        var reading = SourceReading()
        for number in 0..<120 { reading.countNotSelected("type \(number)", count: 2) }
        reading.countNotSelected("type 7")
        reading.countNotSelected(String(repeating: "x", count: 5_000))
        #expect(reading.notSelected == 242 && reading.notSelectedTypes.count == 100)
        #expect(reading.notSelectedTypes["type 7"] == 3 && reading.notSelectedTypes["type 100"] == nil)
        var other = SourceReading()
        other.countNotSelected(String(repeating: "x", count: 5_000))
        other.addNotSelected(of: reading)
        #expect(other.notSelected == 243 && other.notSelectedTypes.count == 100)
        #expect(other.notSelectedTypes[String(repeating: "x", count: 100)] == 1)
    }
}
