import HealthSyncDomain
import HealthSyncPorts

/// Every day of all years: steps, minutes asleep or resting heart rate.
struct YearsPage: Page {
    static let address = "/view/years"
    let name = "Years"
    /// The page shows all days; its link to a year leads to that of the day.
    let showsDay = true

    func content(_ context: PageContext) async throws -> [Markup] {
        let shown =
            try context.choice("of", of: MappedMetric.allCases.map(\.rawValue))
            .flatMap { MappedMetric(rawValue: $0) } ?? .steps
        let day = try context.day()
        let kept = day.map { [("day", "\($0)")] } ?? []
        let choices = Choice.of(
            "Metric",
            MappedMetric.allCases.map { one in
                (one.title, Choice.address(address, [("of", one.rawValue)] + kept), one == shown)
            })
        let quantities = try await context.allQuantities(of: shown.metric)
        guard let first = quantities.first?.day, let last = quantities.last?.day,
            let days = DayRange(first, through: last)
        else {
            let nights: [NightTimes] =
                if shown == .sleep, let recorded = context.recorded {
                    try await context.repository.nights(days: recorded)
                } else { [] }
            let text = nights.isEmpty ? "No records of this metric." : SleepFigure.onlyInBed
            return [choices, .tag("section", [.class("card")], .tag("p", [], text))]
        }
        let map = YearMap(
            quantities, resolution: shown.resolution, incomplete: shown.isSum ? context.today : nil)
        let section = YearMapSection(shown: shown, map: map, days: days, numbers: context.numbers)
        let year = Markup.tag(
            "a", [.href(YearPage.address(of: min(max(day ?? last, first), last).components.year))], "Your year")
        return [choices, .tag("p", [], year + ": one page to print."), section.markup]
    }
}
