import HealthSyncDomain
import HealthSyncPorts

/// Heart rate: a day by its hours, or days, weeks, months and years; lowest, mean and highest, and at rest.
struct HeartRatePage: Page {
    static let address = "/view/heart"
    let name = "Heart rate"

    func content(_ context: PageContext) async throws -> [Markup] {
        let view = try context.period(usual: .day)
        let latest = try await context.repository.latestDay(of: .heartRate, through: context.today)
        let day = try context.day(latest: latest)
        let days = view.days(through: day, recorded: context.recorded)
        let navigation = PeriodNavigation(
            path: address, view: view, day: day, days: days, recorded: context.recorded)
        let repository = context.repository
        let resting = try await repository.dailyFigures(of: .restingHeartRate, days: days)
        let rates = try await repository.figures(of: .heartRate, days: days, withHours: view == .hour)
        let overview = HeartOverview(days: days, progress: rates + resting)
        let rows = view.unit.map { periods(overview, by: $0, navigation) } ?? hours(overview, day, context)
        return navigation.markup + [
            HeartRateSection(overview: overview, rows: rows, view: view, numbers: context.numbers).markup
        ]
    }

    private func periods(
        _ overview: HeartOverview, by unit: CalendarPeriod.Unit, _ navigation: PeriodNavigation
    ) -> [HeartRateSection.Row] {
        overview.periods(unit).map { period in
            let last = min(period.days.last, navigation.recorded?.last ?? period.days.last)
            return HeartRateSection.Row(
                name: ColumnLabels.fullName(period.period), label: ColumnLabels.period(period.period),
                figures: period.figures, resting: period.averageResting,
                address: navigation.address(navigation.view.closer, last))
        }
    }

    private func hours(
        _ overview: HeartOverview, _ day: CalendarDay, _ context: PageContext
    ) -> [HeartRateSection.Row] {
        let measured = overview.recorded.first?.hours ?? []
        let slots = HourSlot.slots(of: day, measured: measured, clock: context.clock)
        return zip(slots, context.wallClock.hours(slots.map(\.interval.start))).map { slot, time in
            HeartRateSection.Row(
                name: time, label: context.wallClock.hour(slot.interval.start), figures: slot.figures, resting: nil,
                address: nil)
        }
    }
}
