import HealthSyncDomain
import HealthSyncTestKit
import HealthSyncTestTools
import Testing

/// Figures as a client may have stored them. Every sum must be a number, and none may trap.
struct ExtremeFiguresTests {
    private static let numbers: [Double] = [
        0, -0.0, 1, -1, 0.1, .leastNonzeroMagnitude, 9_007_199_254_740_991, -9_007_199_254_740_991, 1e15, 1e19, 1e300,
        -1e300,
        .greatestFiniteMagnitude, -.greatestFiniteMagnitude,
    ]
    private static let counts: [Int?] = [nil, 0, 1, -1, 6_000_000_000_000_000_000, .max, .min]

    @Test(arguments: Seeds.range(60))
    func everyMeanIsBetweenItsValues(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        func number() -> Double { Self.numbers[Int.random(in: 0..<Self.numbers.count, using: &random)] }
        func maybe() -> Double? { Bool.random(using: &random) ? number() : nil }
        let all = (0..<20).map { _ in
            ProgressFigures(
                quantity: number(), minimum: maybe(), maximum: maybe(),
                count: Self.counts[Int.random(in: 0..<Self.counts.count, using: &random)])
        }
        let merged = ProgressFigures.merged(all)
        #expect(merged?.quantity.isFinite == true)
        #expect(merged?.count.map { $0 > 0 } ?? true)
        let sums = all.map { ProgressFigures(quantity: $0.quantity) }
        #expect(ProgressFigures.merged(sums)?.quantity.isFinite == true)
        let means = all.map { ProgressFigures(quantity: $0.quantity, count: max(1, $0.count ?? 1)) }
        if let mean = ProgressFigures.merged(means)?.quantity, let least = means.map(\.quantity).min(),
            let greatest = means.map(\.quantity).max()
        {
            #expect(mean >= least - least.magnitude * 1e-9 && mean <= greatest + greatest.magnitude * 1e-9)
        }
    }

    @Test func contradictoryCounts() {
        let half = ProgressFigures(quantity: 60, minimum: 50, maximum: 70, count: 6_000_000_000_000_000_000)
        #expect(
            half.merged(with: half) == ProgressFigures(quantity: 60, minimum: 50, maximum: 70, count: Int.max))
    }

    @Test func instantsAndSecondsOutOfRange() {
        #expect(Instant(seconds: 1).advanced(bySeconds: .max) == Instant(milliseconds: .max))
        #expect(Instant(seconds: 1).advanced(bySeconds: .min) == Instant(milliseconds: .min))
    }
}
