import HealthSyncDomain
import HealthSyncPorts

/// Sleep: a night by its stages, the nights of 7 days, 30 days or 3 months, months, years, or all nights.
struct SleepPage: Page {
    static let address = "/view/sleep"
    let name = "Sleep"
    let showsDay = true

    private static let choices = [
        ("1d", "Day"), ("7d", "7 days"), ("30d", "30 days"), ("3mo", "3 months"), ("months", "Months"),
        ("years", "Years"), ("all", "All nights"),
    ]

    func content(_ context: PageContext) async throws -> [Markup] {
        let last = try context.choice("last", of: Self.choices.map(\.0)) ?? "7d"
        let latest = try await context.repository.latestDay(of: .sleep, through: context.today)
        let day = try context.day(latest: latest)
        let choices = Self.choices.map { choice in
            (name: choice.1, address: nightAddress(day, last: choice.0), isCurrent: choice.0 == last)
        }
        guard let periods = LongSleep(rawValue: last) else {
            return [Choice.of("Period", choices)] + (try await nights(last, day, latest: latest, context))
        }
        // Read once: a server must decode its records to find the nights.
        let nights = try await hours(of: context.recorded ?? DayRange(day), context)
        let quantities = nights.compactMap { night in
            night.asleep.map { DailyQuantity(day: night.day, quantity: Double($0) / 60_000) }
        }
        let history = HistorySection(ofSleep: quantities, context.numbers)?.markup ?? []
        return [Choice.of("Period", choices)] + content(periods, of: nights, day, latest: latest, context) + history
    }

    /// The choices of more nights than a page can list.
    private enum LongSleep: String {
        case months
        case years
        case all
    }

    /// Returns months, years or all nights; `nights` are all recorded ones.
    private func content(
        _ periods: LongSleep, of nights: [NightHours], _ day: CalendarDay, latest: CalendarDay?, _ context: PageContext
    ) -> [Markup] {
        guard periods != .all else { return AllNightsSection(nights: nights, context: context).markup }
        let view: PeriodView = periods == .months ? .month : .year
        let days = view.days(through: day, recorded: context.recorded)
        let complete = context.completeDays(latest: latest, ofNights: true)
        let section = SleepPeriodsSection(
            periods: SleepPeriod.periods(
                view.unit ?? .year, of: days, nights: nights.filter { days.contains($0.day) }),
            view: view, complete: complete, context: context,
            address: { period in
                let last = min(period.days.last, latest ?? period.days.last)
                return nightAddress(last, last: view == .month ? "30d" : "months")
            })
        return (view == .month ? [stretch(days, day, last: "months", latest: latest, context)] : []) + [section.markup]
    }

    /// Returns a night, or the nights of up to three months.
    private func nights(
        _ last: String, _ day: CalendarDay, latest: CalendarDay?, _ context: PageContext
    ) async throws -> [Markup] {
        let days = LookBack(last)?.days(through: day) ?? DayRange(day)
        let overview = SleepOverview(days: days, sessions: try await context.repository.sleep(days: days))
        let regularity =
            last == "30d" || last == "3mo"
            ? RegularitySection(
                regularity: SleepRegularity(try await hours(of: days, context)), form: context.clockForm
            ).markup : nil
        let content =
            last == "1d"
            ? SleepNightSection(overview: overview, day: day, context: context).markup
            : SleepRangeSection(overview: overview, context: context) { nightAddress($0, last: "1d") }.markup
        return [stretch(days, day, last: last, latest: latest, context)] + content + (regularity.map { [$0] } ?? [])
    }

    /// Returns the hours of the nights of `days` up to today.
    private func hours(of days: DayRange, _ context: PageContext) async throws -> [NightHours] {
        try await context.repository.nights(days: days).filter { $0.day <= context.today }
            .map { NightHours($0, clock: context.clock) }
    }

    private func nightAddress(_ day: CalendarDay, last: String) -> String {
        Choice.address(address, [("last", last), ("day", "\(day)")])
    }

    private func stretch(
        _ days: DayRange, _ day: CalendarDay, last: String, latest: CalendarDay?, _ context: PageContext
    ) -> Markup {
        let isNight = days.count == 1
        let name: Markup =
            isNight
            ? "Night to " + Figure.day(day) : "Nights to " + Figure.day(days.first) + " – " + Figure.day(days.last)
        let recorded = context.recorded
        let before = recorded.flatMap { $0.first < days.first ? min(days.first.advanced(by: -1), $0.last) : nil }
        let after = recorded.flatMap { recorded in
            recorded.last > days.last
                ? max(min(days.last.advanced(by: days.count), recorded.last), recorded.first) : nil
        }
        return Choice.stretch(
            name, before: before, after: after, latest: latest.flatMap { days.contains($0) ? nil : $0 }, day: day,
            path: address, fixed: [("last", last)],
            names: isNight ? ("Previous night", "Next night") : ("Earlier", "Later"))
    }
}
