import HealthSyncDomain
import HealthSyncTestTools
import Testing

@Suite("The series of a metric")
struct MetricSeriesTests {
    private static let steps = MetricDefinition(.steps, unit: "count", kind: .sum)
    private static let weight = MetricDefinition(HealthMetric(rawValue: "bodyMass"), unit: "kg", kind: .last)

    @Test("weeks, months and years of a sum add up to the days", arguments: Seeds.range(60))
    func sums(seed: UInt64) throws {
        let random = try RandomDays(seed: seed)
        let today = random.days.first.advanced(by: Int(seed) % 7)
        let series = MetricSeries(of: Self.steps, days: random.days, progress: random.progress, today: today)
        let selected = random.progress.filter { $0.metric == .steps && random.days.contains($0.day) }
        let whole = selected.contains { $0.day != today } ? selected.filter { $0.day != today } : selected
        let mean = whole.map(\.figures.quantity).reduce(0, +) / Double(whole.count)
        let total = selected.map(\.figures.quantity).reduce(0, +)
        #expect(series.recorded.map(\.day) == selected.map(\.day).sorted())
        #expect(series.figures?.quantity == (selected.isEmpty ? nil : total))
        #expect(series.averagePerDay == (selected.isEmpty ? nil : mean.asFigure))
        #expect(series.averagesLackToday == (whole.count < selected.count))
        #expect(series.highest?.figures.quantity == selected.map(\.figures.quantity).max())
        for unit in CalendarPeriod.Unit.allCases {
            let periods = series.periods(unit)
            #expect(periods.compactMap(\.figures?.quantity).reduce(0, +) == total)
            #expect(periods.map(\.recordedDays).reduce(0, +) == selected.count)
            #expect(periods.map(\.days.count).reduce(0, +) == random.days.count)
            for period in periods {
                let own = selected.filter { period.period.days.contains($0.day) }
                #expect(period.figures?.quantity == (own.isEmpty ? nil : own.map(\.figures.quantity).reduce(0, +)))
                for origin in period.origins {
                    let alone = own.flatMap(\.origins).filter { $0.sourceName == origin.sourceName }.map(\.quantity)
                    #expect(origin.quantity == alone.reduce(0, +))
                }
            }
        }
    }

    @Test("if today is the only day, every average is that of today", arguments: CalendarPeriod.Unit.allCases)
    func onlyToday(unit: CalendarPeriod.Unit) throws {
        let today = try RandomSteps.day("2024-01-15")
        let progress = [RandomDays.progress(.steps, today, ProgressFigures(quantity: 2_643))]
        let days = DayRange(today).widened(before: 40, after: 0)
        let series = MetricSeries(of: Self.steps, days: days, progress: progress, today: today)
        #expect(series.averagePerDay == 2_643 && !series.averagesLackToday)
        #expect(series.periods(unit).compactMap(\.averagePerDay) == [2_643])
    }

    @Test("days without figures are absent and not zero")
    func nothing() throws {
        let days = DayRange(try RandomSteps.day("2024-01-15"))
        let series = MetricSeries(of: Self.steps, days: days, progress: [], today: days.last)
        #expect(series.figures == nil && series.averagePerDay == nil && series.highest == nil)
        #expect(series.sourceNames.isEmpty)
        #expect(series.periods(.week).map(\.figures) == [nil])
        #expect(series.periods(.week).first?.days == days)
    }

    @Test("a period of a metric with a last value has the value of its last day, and all minima and maxima")
    func last() throws {
        let first = try RandomSteps.day("2024-01-15")
        let values = [(82.5, 81.0, 83.0, 3), (82.0, 82.0, 82.0, 1), (81.5, 80.5, 82.0, 2)]
        let progress = values.enumerated().map { index, value in
            RandomDays.progress(
                Self.weight.metric, first.advanced(by: index * 2),
                ProgressFigures(quantity: value.0, minimum: value.1, maximum: value.2, count: value.3))
        }
        let days = DayRange(first).widened(before: 0, after: 6)
        let series = MetricSeries(of: Self.weight, days: days, progress: progress.reversed(), today: days.last)
        #expect(series.figures == ProgressFigures(quantity: 81.5, minimum: 80.5, maximum: 83, count: 6))
        #expect(series.averagePerDay == nil)
        #expect(series.periods(.day).map(\.figures?.quantity) == [82.5, nil, 82, nil, 81.5, nil, nil])
    }

    @Test("means without minimum, maximum and count are averaged and not added")
    func bareMeans() {
        let figures = [60, 70, 80].map { ProgressFigures(quantity: $0) }
        #expect(MetricDefinition.Kind.mean.combined(figures)?.quantity == 70)
        #expect(MetricDefinition.Kind.sum.combined(figures) == ProgressFigures(quantity: 210))
        #expect(MetricDefinition.Kind.mean.combined([]) == nil)
        #expect(MetricDefinition.Kind.sessions.combined(figures) == nil)
        let largest = ProgressFigures(quantity: .greatestFiniteMagnitude)
        #expect(MetricDefinition.Kind.sum.combined([largest, largest])?.quantity == .greatestFiniteMagnitude)
    }

    @Test(
        "a title is made of the words of the name",
        arguments: [
            ("bodyMassIndex", "Body mass index", "body mass index"), ("steps", "Steps", "steps"),
            ("vO2Max", "VO2 max", "VO2 max"), ("uVExposure", "UV exposure", "UV exposure"),
            ("heartRateVariabilitySDNN", "Heart rate variability SDNN", "heart rate variability SDNN"),
            ("x", "X", "X"), ("", "", ""),
        ])
    func titles(name: String, title: String, label: String) {
        let definition = MetricDefinition(HealthMetric(rawValue: name), unit: "", kind: .sum)
        #expect(definition.title == title)
        #expect(definition.label == label)
    }

    @Test("the unit of a record has precedence over the one in the catalog; unknown metrics are inferred")
    func catalog() throws {
        let day = try RandomSteps.day("2024-01-15")
        let catalog = MetricCatalog([Self.weight, Self.steps, MetricDefinition(.steps, unit: "other", kind: .mean)])
        #expect(catalog.definitions == [Self.weight, Self.steps])
        var pounds = RandomDays.progress(Self.weight.metric, day, ProgressFigures(quantity: 180))
        #expect(catalog.definition(of: pounds) == Self.weight)
        pounds.unit = "lb"
        #expect(catalog.definition(of: pounds).unit == "lb")
        #expect(catalog.definition(of: pounds).kind == .last)
        let sum = RandomDays.progress(HealthMetric(rawValue: "laps"), day, ProgressFigures(quantity: 3))
        #expect(catalog.definition(of: sum).kind == .sum)
        let mean = RandomDays.progress(HealthMetric(rawValue: "mood"), day, ProgressFigures(quantity: 3, count: 2))
        #expect(catalog.definition(of: mean).kind == .mean)
    }
}
