import HealthSyncDomain
import HealthSyncTestKit
import Testing

@Suite struct SampleIDWriterTests {
    @Test func itWritesTheHashedBytes() {
        var random = SeededRandom(seed: 3)
        let origin = SampleOrigin(
            sourceName: "Anna’s Apple\u{A0}Watch", device: "name:Apple Watch", isUserEntered: true)
        let type = SampleTypeDefinition.stepCount.type
        var writer = SampleIDWriter(type: type, unit: "count", origin: origin)
        let values = [0, -0.0, 1, 12.5, -7, 1e21, 0.1, Double(Int64.min), 4_294_967_296, .leastNonzeroMagnitude]
        for _ in 0..<2_000 {
            let start = Int64.random(in: -(1 << 45)...(1 << 45), using: &random)
            let end = start + Int64.random(in: 0...1_000_000, using: &random)
            let value = values.randomElement(using: &random) ?? 0
            writer.write(start: start, end: end, value: value)
            let interval = InstantRange(start: Instant(milliseconds: start), end: Instant(milliseconds: end))
            #expect(
                writer.bytes
                    == SampleID.hashedBytes(
                        type: type, interval: interval, value: value, unit: "count", origin: origin))
        }
    }
}
