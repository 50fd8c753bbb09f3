import HealthSyncDomain
import HealthSyncTestTools
import Testing

struct HeartOverviewTests {
    @Test(arguments: Seeds.range(60))
    func meansAreWeightedByMeasurements(seed: UInt64) throws {
        let random = try RandomDays(seed: seed)
        let overview = HeartOverview(days: random.days, progress: random.progress)
        let asked = random.progress.filter { random.days.contains($0.day) }
        try expect(overview.figures, equals: asked)
        for unit in CalendarPeriod.Unit.allCases {
            for period in overview.periods(unit) {
                let own = asked.filter { period.period.days.contains($0.day) }
                try expect(period.figures, equals: own)
                let rested = own.contains { $0.metric == .restingHeartRate }
                #expect(period.averageResting == (rested ? 52.5 : nil))
                let measured = own.filter { $0.metric == .heartRate || $0.metric == .restingHeartRate }
                #expect(period.recordedDays == Set(measured.map(\.day)).count)
            }
        }
    }

    private func expect(_ figures: ProgressFigures?, equals progress: [DailyProgress]) throws {
        let rates = progress.filter { $0.metric == .heartRate }.map(\.figures)
        guard !rates.isEmpty else {
            #expect(figures == nil)
            return
        }
        let figures = try #require(figures)
        let count = rates.compactMap(\.count).reduce(0, +)
        let sum = rates.map { $0.quantity * Double($0.count ?? 0) }.reduce(0, +)
        #expect(abs(figures.quantity - sum / Double(count)) < 1e-9)
        #expect(figures.minimum == rates.compactMap(\.minimum).min())
        #expect(figures.maximum == rates.compactMap(\.maximum).max())
        #expect(figures.count == count)
    }

    @Test func aDayMayHaveOnlyARestingHeartRate() throws {
        let day = try RandomSteps.day("2024-01-15")
        let resting = RandomDays.progress(.restingHeartRate, day, ProgressFigures(quantity: 51, count: 1))
        let overview = HeartOverview(days: DayRange(day).widened(before: 1, after: 1), progress: [resting])
        #expect(overview.recorded.map(\.day) == [day])
        #expect(overview.recorded.first?.figures == nil)
        #expect(overview.averageResting == 51)
        #expect(overview.periods(.day).map(\.averageResting) == [nil, 51, nil])
    }

    @Test func meansWithoutANumberOfMeasurementsWeighOne() {
        let left = ProgressFigures(quantity: 60, minimum: 50, maximum: 70)
        let right = ProgressFigures(quantity: 80, minimum: 55, maximum: 90, count: 3)
        #expect(left.merged(with: right) == ProgressFigures(quantity: 75, minimum: 50, maximum: 90, count: 4))
    }
}
