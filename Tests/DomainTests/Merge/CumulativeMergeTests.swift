import HealthSyncDomain
import HealthSyncTestKit
import HealthSyncTestTools
import Testing

struct CumulativeMergeTests {
    @Test(arguments: Seeds.range(150))
    func equalsTheRuleAppliedMinuteByMinute(seed: UInt64) throws {
        let input = try RandomSteps(seed: seed, areWhole: false)
        let expected = MinuteOracle.hours(input)
        let merged = input.merged(days: input.range, unit: "km").progress
        let hours = merged.flatMap(\.hours)
        #expect(hours.map(\.start.milliseconds) == expected.keys.sorted())
        for hour in hours {
            let figure = try #require(expected[hour.start.milliseconds])
            #expect(abs(hour.figures.quantity - figure) < 1e-6)
        }
        for day in merged {
            let sum = day.hours.reduce(0) { $0 + $1.figures.quantity }
            #expect(abs(day.figures.quantity - sum) <= 1e-10 * max(1, sum))
        }
    }

    @Test(arguments: Seeds.range(100))
    func wholeFiguresStayWholeAndAddUp(seed: UInt64) throws {
        let input = try RandomSteps(seed: seed)
        let expected = MinuteOracle.hours(input)
        for day in input.merged(days: input.range).progress {
            let quantities = day.hours.map(\.figures.quantity)
            #expect(quantities.allSatisfy { $0 == $0.rounded() && $0 >= 0 })
            #expect(quantities.reduce(0, +) == day.figures.quantity)
            // Splitting whole samples at midnight changes each part by less than one.
            let bounds = input.clock.interval(of: day.day)
            let real = expected.filter { bounds.contains(Instant(milliseconds: $0.key)) }.reduce(0) { $0 + $1.value }
            let crossing = input.samples.map(\.columns).reduce(0) { sum, columns in
                sum
                    + (0..<columns.count).count { index in
                        let sample = columns.interval(index)
                        return sample.intersection(bounds) != nil && bounds.intersection(sample) != sample
                    }
            }
            #expect(abs(day.figures.quantity - real) <= 0.5 + Double(crossing))
        }
    }

    @Test(arguments: Seeds.range(150))
    func aDayDoesNotDependOnTheOtherDaysRequested(seed: UInt64) throws {
        let zones: [String?] = seed % 3 == 0 ? [nil, "Asia/Kolkata", "America/New_York"] : [nil]
        let input = try RandomSteps(seed: seed, withFeed: seed % 2 == 0, zones: zones)
        for unit in ["count", "kcal"] {
            let whole = input.merged(days: input.range, unit: unit)
            var parts: [DailyProgress] = []
            var skipped: [String: Int] = [:]
            var random = SeededRandom(seed: seed)
            var first = input.range.first
            while first <= input.range.last {
                let length = Int.random(in: 0...2, using: &random)
                let days = try #require(
                    DayRange(first, through: min(first.advanced(by: length), input.range.last)))
                let part = input.merged(days: days, unit: unit)
                parts += part.progress
                skipped.merge(part.skipped) { $0 + $1 }
                first = days.last.advanced(by: 1)
            }
            #expect(parts == whole.progress)
            #expect(skipped == whole.skipped)
        }
    }

    @Test(arguments: Seeds.range(60))
    func neitherOrderNorRepetitionMatters(seed: UInt64) throws {
        var input = try RandomSteps(seed: seed)
        let expected = input.merged(days: input.range)
        var random = SeededRandom(seed: seed)
        input.samples = input.samples.shuffled(using: &random).map { origin in
            let twice = Array(0..<origin.columns.count) + Array(0..<origin.columns.count)
            return OriginSamples(
                origin: origin.origin, columns: origin.columns.selecting(twice.shuffled(using: &random)))
        }
        #expect(input.merged(days: input.range) == expected)
    }

    @Test(arguments: Seeds.range(60))
    func aSingleOriginKeepsAllSteps(seed: UInt64) throws {
        var input = try RandomSteps(seed: seed)
        guard let origin = input.samples.first(where: { $0.columns.count > 0 }) else {
            #expect(seed == 20, "another seed without samples")
            return
        }
        // Samples with equal times count once.
        var times: Set<[Int64]> = []
        let columns = origin.columns.selecting(
            (0..<origin.columns.count).filter {
                times.insert([origin.columns.starts[$0], Int64(origin.columns.durations[$0])]).inserted
            })
        input.samples = [OriginSamples(origin: origin.origin, columns: columns)]
        let days = input.range.widened(before: 2, after: 3)
        let merged = input.merged(days: days).progress
        #expect(merged.reduce(0) { $0 + $1.figures.quantity } == columns.values.reduce(0, +))
        #expect(merged.allSatisfy { $0.origins.map(\.quantity) == [$0.figures.quantity] })
    }

    @Test func wholePartsOfASampleAcrossMidnightAddUpToIt() throws {
        let clock = DayClock(home: .utc)
        let samples = SampleSeries("Watch").adding(7, at: "2024-01-15T23:58:00Z", minutes: 4).samples
        let days = DayRange(try RandomSteps.day("2024-01-15")).widened(before: 0, after: 1)
        let merge = CumulativeMerge(metric: .steps, unit: "count", days: days, rules: DerivationRules(clock: clock))
        #expect(merge.days(of: [samples]).progress.map(\.figures.quantity) == [4, 3])
    }

    @Test func implausibleSamplesAreLeftOutAndCounted() throws {
        let samples = SampleSeries("Watch")
            .adding(-5, at: "2024-01-15T10:00:00Z", minutes: 4)
            .adding(5, at: "2024-01-15T10:00:00Z", minutes: 600_000)
            .adding(6, at: "2024-01-15T10:00:00Z", minutes: 1).samples
        let days = DayRange(try RandomSteps.day("2024-01-15"))
        let merge = CumulativeMerge(
            metric: .steps, unit: "count", days: days, rules: DerivationRules(clock: DayClock(home: .utc)))
        let derived = merge.days(of: [samples])
        #expect(derived.progress.map(\.figures.quantity) == [6])
        #expect(derived.skipped == ["negative": 1, "longer than 31 days": 1])
    }

    @Test(arguments: [5.0, 5e3, 5e9, 5e11])
    func largeSamplesAreSplitAsExactlyAsSmallOnes(value: Double) throws {
        let samples = SampleSeries("Watch").adding(value, at: "2024-01-15T22:00:00Z", minutes: 300).samples
        let days = DayRange(try RandomSteps.day("2024-01-15")).widened(before: 0, after: 1)
        let merge = CumulativeMerge(
            metric: .steps, unit: "count", days: days, rules: DerivationRules(clock: DayClock(home: .utc)))
        let progress = merge.days(of: [samples]).progress
        #expect(progress.map(\.figures.quantity) == [value / 5 * 2, value / 5 * 3])
        #expect(progress.allSatisfy { $0.hours.reduce(0) { $0 + $1.figures.quantity } == $0.figures.quantity })
    }

    private func total(_ series: [SampleSeries]) throws -> Double? {
        let days = DayRange(try RandomSteps.day("2024-01-15"))
        let merge = CumulativeMerge(
            metric: .steps, unit: "count", days: days, rules: DerivationRules(clock: DayClock(home: .utc)))
        return merge.days(of: series.map(\.samples)).progress.first?.figures.quantity
    }

    @Test("User-entered samples come first: instantaneous ones are added to measured steps in full")
    func enteredByHand() throws {
        let watch = SampleSeries("Watch").adding(200, at: "2024-01-15T08:00:00Z", minutes: 60)
        let person = SampleSeries(SampleOrigin(sourceName: "Health", isUserEntered: true))
        #expect(try total([watch, person.adding(5000, at: "2024-01-15T08:30:00Z")]) == 5200)
        #expect(try total([watch, person.adding(300, at: "2024-01-15T08:00:00Z", minutes: 30)]) == 400)
    }

    @Test("Of instantaneous samples of several recorders, the largest sum of an hour counts")
    func instantsOfSeveralRecorders() throws {
        let watch = SampleSeries("Watch").adding(3000, at: "2024-01-15T08:00:03Z").adding(
            2880, at: "2024-01-15T08:20:03Z")
        let phone = SampleSeries("iPhone").adding(6000, at: "2024-01-15T08:00:10Z")
        #expect(try total([watch, phone]) == 6000)
        #expect(try total([watch, phone.adding(50, at: "2024-01-15T09:00:00Z")]) == 6050)
    }
}
