import HealthSyncDomain
import HealthSyncTestKit
import Testing

@Suite("Numbered deliveries") struct DeliverySequenceTests {
    private let key = DeliverySequence.Key(sender: "App", series: "phone")

    @Test("the missing numbers are those between the first and the last that were not received, in any order")
    func equalsTheDefinition() {
        var random = SeededRandom(seed: 12)
        for _ in 0..<200 {
            let first = Int64.random(in: 0...20, using: &random)
            var received: Set<Int64> = [first]
            var sequence = DeliverySequence(key, first: first)
            for _ in 0..<Int.random(in: 0...60, using: &random) {
                let number = Int64.random(in: 0...60, using: &random)
                received.insert(number)
                sequence.receive(number)
            }
            let last = received.max() ?? first
            let expected = (first...last).filter { !received.contains($0) }
            #expect(sequence.missing.flatMap { Array($0) } == expected)
            #expect(sequence.last == last)
        }
    }

    @Test("the largest and smallest numbers are accepted")
    func acceptsExtremes() {
        var sequence = DeliverySequence(key, first: .min)
        sequence.receive(.max)
        sequence.receive(.max)
        sequence.receive(0)
        #expect(sequence.missing == [(.min + 1)...(-1), 1...(.max - 1)])
    }
}
