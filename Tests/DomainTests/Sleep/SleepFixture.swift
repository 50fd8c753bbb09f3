import HealthSyncDomain
import HealthSyncTestKit

/// Nights as tests write them, in the zone of Paris.
struct SleepFixture {
    static let core = 3.0
    static let deep = 4.0
    static let rem = 5.0
    static let awake = 2.0
    static let asleep = 1.0
    static let inBed = 0.0

    let clock: DayClock
    let days: DayRange

    init(first: String = "2024-03-28", days count: Int = 6) throws {
        clock = try ZoneClocks.clock("Europe/Paris")
        days = DayRange(try RandomSteps.day(first)).widened(before: 0, after: count - 1)
    }

    func derived(_ samples: [OriginSamples], days other: DayRange? = nil, gapMinutes: Int = 60) -> DerivedDays {
        let rules = DerivationRules(clock: clock) { try? ZoneClocks.clock($0) }
        return SleepSessionBuilder(days: other ?? days, gapMinutes: gapMinutes, rules: rules).sessions(of: samples)
    }

    func sessions(_ samples: [OriginSamples]) -> [SleepSession] { derived(samples).sleepSessions }

    /// Samples of two recorders on whole minutes; one of them is updated in between.
    func random(seed: UInt64) -> [OriginSamples] {
        var random = SeededRandom(seed: seed)
        let begin = clock.night(of: days.first).start.milliseconds
        let devices = ["name:Watch, software:10.0", "name:Watch, software:10.1", "name:Phone"]
        return devices.map { device in
            var series = SampleSeries(SampleOrigin(sourceName: "Anna", device: device))
            for _ in 0..<Int.random(in: 0...40, using: &random) {
                series = series.adding(
                    Double(Int.random(in: 0...5, using: &random)),
                    at: Instant(milliseconds: begin + .random(in: 0..<8_600, using: &random) * 60_000),
                    milliseconds: Int64.random(in: 0...90, using: &random) * 60_000,
                    zoneName: seed % 3 == 0 ? ["Asia/Tokyo", nil].randomElement(using: &random) ?? nil : nil)
            }
            return series.samples
        }
    }
}
