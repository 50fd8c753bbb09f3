import HealthSyncDomain

/// The intervals of one month.
struct IntervalsList {
    let month: CalendarPeriod
    let statuses: [IntervalStatus]
    let context: PageContext

    private static let mostShown = 250

    var markup: Markup {
        let shown = statuses.prefix(Self.mostShown)
        var table = DataTable(
            shown.count < statuses.count ? "The first \(shown.count) of \(statuses.count)" : "All \(statuses.count)",
            [.text("From"), .text("To"), .number("Samples"), .number("Steps"), .text("State"), .text("Since")])
        for status in shown {
            let (range, figures) = (status.interval.interval.range, status.interval.figures)
            table.add([
                context.moment(range.start), context.moment(range.end), count(Double(figures.sampleCount)),
                count(Double(figures.stepCount)),
                .tag(
                    "span", [.class("whole")], .tag("span", [.class("swatch \(status.state.rawValue)")]),
                    .text(IntervalsMap.name(status.state))),
                status.syncedAt.map { context.moment($0) } ?? "–",
            ])
        }
        return .tag(
            "section", [.class("card"), .id("intervals")], .tag("h2", [], .text(ColumnLabels.fullName(month))),
            table.markup)
    }

    private func count(_ number: Double) -> Markup { Figure.number(number, context.numbers.whole(number)) }
}
