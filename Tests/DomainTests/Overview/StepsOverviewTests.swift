import HealthSyncDomain
import Testing

struct StepsOverviewTests {
    @Test(arguments: 0..<60)
    func weeksMonthsAndYearsAreTheSumsOfTheDays(seed: UInt64) throws {
        let random = try RandomDays(seed: seed)
        let overview = StepsOverview(days: random.days, progress: random.progress)
        let asked = random.progress.filter { $0.metric == .steps && random.days.contains($0.day) }
        #expect(overview.recorded.map(\.day) == asked.map(\.day).sorted())
        #expect(overview.total == asked.map(\.figures.quantity).reduce(0, +))
        #expect(overview.averagePerDay == (asked.isEmpty ? nil : (overview.total / Double(asked.count)).asFigure))
        #expect(overview.best?.figures.quantity == asked.map(\.figures.quantity).max())
        for unit in CalendarPeriod.Unit.allCases {
            let periods = overview.periods(unit)
            #expect(periods.compactMap(\.total).reduce(0, +) == overview.total)
            #expect(periods.map(\.recordedDays).reduce(0, +) == asked.count)
            #expect(periods.map(\.days.count).reduce(0, +) == random.days.count)
            for period in periods {
                let own = asked.filter { period.period.days.contains($0.day) }
                #expect(period.total == (own.isEmpty ? nil : own.map(\.figures.quantity).reduce(0, +)))
                for origin in period.origins {
                    let said = own.flatMap(\.origins).filter { $0.sourceName == origin.sourceName }.map(\.quantity)
                    #expect(origin.quantity == said.reduce(0, +))
                }
            }
        }
    }

    @Test func unmeasuredStepsAreAbsentAndNotZero() throws {
        let days = DayRange(try RandomSteps.day("2024-01-15"))
        let overview = StepsOverview(days: days, progress: [])
        #expect(overview.total == 0)
        #expect(overview.averagePerDay == nil)
        #expect(overview.best == nil)
        #expect(overview.sourceNames.isEmpty)
        #expect(overview.periods(.week).map(\.total) == [nil])
        #expect(overview.periods(.week).first?.days == days)
    }
}
