import HealthSyncDomain
import HealthSyncPorts

/// One year on one page, also to print: steps, sleep, resting heart rate, and the distance in each pair of shoes.
struct YearPage: Page {
    static let address = "/view/year"
    let name = "Your year"
    let entry = "Years"
    /// `nil` if the pages show no shoes.
    let shoes: (any ShoeReader)?
    var receivedSteps: ReceivedStepsNote? = nil

    /// Returns the address of the page of a year.
    static func address(of year: Int) -> String {
        Choice.address(address, [("year", CalendarDay.padded(year, 4))])
    }

    func title(_ context: PageContext) async throws -> String {
        try shownYear(context).map { "\(name) \($0)" } ?? name
    }

    func content(_ context: PageContext) async throws -> [Markup] {
        guard let year = try shownYear(context), let recorded = context.recorded,
            let days = CalendarDay(year: year, month: 1, day: 1).map({ CalendarPeriod(.year, holding: $0).days })
        else {
            let note = try await receivedSteps?.markup(of: nil, context) ?? []
            guard note.isEmpty else { return note }
            return [.tag("section", [.class("card")], .tag("p", [], "Nothing is recorded yet."))]
        }
        let choices = Choice.of(
            "Year", Self.years(context).reversed().map { ("\($0)", Self.address(of: $0), $0 == year) })
        let repository = context.repository
        let walked = try await figures(of: .walkingDistance, isSum: true, resolution: 0.01, year, days, context)
        let nights = try await repository.nights(days: days).filter { $0.day <= context.today }
            .map { NightHours($0, clock: context.clock) }
        let sections = YearSections(
            days: days, steps: try await figures(of: .steps, isSum: true, year, days, context), kilometres: walked,
            sleep: try await figures(of: .sleep, year, days, context),
            resting: try await figures(of: .restingHeartRate, year, days, context), nights: nights,
            worn: try await shoes?.worn(on: days) ?? [],
            completeSteps: context.completeDays(
                latest: try await repository.latestDay(of: .steps, through: context.today)), context: context)
        let complete = context.completeDays(latest: recorded.last, ofNights: true)
        let isPartial = CalendarPeriod(.year, holding: days.first).isPartial(within: complete)
        let shown = complete?.intersection(days)
        var note = Markup.nothing
        if isPartial, let shown {
            let through: Markup = shown.count == 1 ? .nothing : " to " + Figure.day(shown.last)
            note = .tag("p", [.class("quiet")], "Recorded " + Figure.day(shown.first) + through + ".")
        }
        return [choices, note] + sections.markup
    }

    /// Returns the figures of `metric`; needs the year before for comparison.
    private func figures(
        of metric: HealthMetric, isSum: Bool = false, resolution: Double = 1, _ year: Int, _ days: DayRange,
        _ context: PageContext
    ) async throws -> MetricYear {
        let wanted = DayRange(days.first.advanced(byMonths: -12), through: min(days.last, context.today))
        let quantities =
            if let wanted { try await context.repository.dailyQuantities(of: metric, days: wanted) } else {
                [DailyQuantity]()
            }
        return MetricYear(
            year, of: quantities, resolution: resolution, incomplete: isSum ? context.today : nil)
    }

    /// Returns the parameter `year`, else the last recorded year; `nil` without records.
    private func shownYear(_ context: PageContext) throws(SyncFailure) -> Int? {
        let years = Self.years(context)
        guard !years.isEmpty else { return nil }
        return try context.choice("year", of: years.map { CalendarDay.padded($0, 4) }).flatMap { Int($0) }
            ?? years.last
    }

    /// The recorded years, ascending.
    private static func years(_ context: PageContext) -> [Int] {
        guard let recorded = context.recorded, recorded.first <= context.today else { return [] }
        return Array(
            recorded.first.components.year...min(recorded.last, context.today).components.year)
    }
}
