import HealthSyncDomain
import HealthSyncPorts

/// Every metric that has records, with its latest figure and a link to its page.
struct MetricsPage: Page {
    static let address = "/view/metrics"
    let name = "Metrics"
    let showsDay = true
    let catalog: MetricCatalog
    /// How to add records, for a page without any.
    let advice: String
    var receivedSteps: ReceivedStepsNote? = nil

    func content(_ context: PageContext) async throws -> [Markup] {
        let metrics = try await context.repository.latestFigures(
            through: min(try context.day() ?? context.today, context.today))
        guard !metrics.isEmpty else {
            let note = try await receivedSteps?.markup(of: nil, context) ?? []
            guard note.isEmpty else { return note }
            if let earlier = try Choice.nothing(context, at: address) { return earlier }
            return [.tag("section", [.class("card")], .tag("p", [], "Nothing is recorded yet. \(advice)"))]
        }
        let table = LatestMetricsTable(metrics: metrics, catalog: catalog, numbers: context.numbers)
        return try Choice.upTo(context, at: address)
            + [.tag("section", [.class("card"), .id("metrics")], table.markup)]
    }
}

/// Metrics with the figure of their latest day.
struct LatestMetricsTable {
    let metrics: [DailyProgress]
    let catalog: MetricCatalog
    let numbers: NumberForm

    var markup: Markup {
        let rows = metrics.map { (progress: $0, definition: catalog.definition(of: $0)) }
            .sorted { ($0.definition.title, $0.progress.metric) < ($1.definition.title, $1.progress.metric) }
        let hasRanges = rows.contains { $0.progress.figures.minimum != nil || $0.progress.figures.maximum != nil }
        var table = DataTable(
            "The latest figure of each metric",
            [.text("Metric"), .number("Figure")] + (hasRanges ? [.number("Lowest"), .number("Highest")] : [])
                + [.text("Day")])
        for (progress, definition) in rows {
            let figure = MetricFigure(definition: definition, numbers: numbers)
            let address = MetricPage.address(of: progress.metric, day: progress.day)
            let range = [figure.cell(progress.figures.minimum), figure.cell(progress.figures.maximum)]
            table.add(
                [
                    .tag("a", [.class("name"), .href(address)], .text(definition.title)),
                    figure.fact(progress.figures.quantity),
                ] + (hasRanges ? range : []) + [Figure.day(progress.day)])
        }
        return table.markup
    }
}
