import HealthSyncDomain
import HealthSyncPorts

/// The latest steps, heart rate and sleep, the latest day at a glance, the week up to it, and every other metric.
struct SummaryPage: Page {
    static let address = "/"
    let name = "Summary"
    let showsDay = true
    /// How to add records, for a page without any.
    let advice: String
    let catalog: MetricCatalog
    /// Finds received step samples; `nil` if the pages do not show received data.
    var receivedSteps: ReceivedStepsNote? = nil
    /// Imports a file; `nil` if the pages cannot.
    var imports: (any ImportActions)? = nil

    func content(_ context: PageContext) async throws -> [Markup] {
        let summary = try await context.repository.summary(through: try context.day(), today: context.today)
        let note = summary.steps == nil ? try await receivedSteps?.markup(of: nil, context) ?? [] : []
        guard !summary.isEmpty else {
            guard note.isEmpty else { return note }
            if let imports {
                return [
                    .tag("p", [], "Nothing is recorded yet."),
                    await ImportForm(imports: imports, context: context).markup,
                ]
            }
            return [.tag("section", [.class("card")], .tag("p", [], "Nothing is recorded yet. \(advice)"))]
        }
        let cards = SummaryCards(
            steps: summary.steps, heartRate: summary.heartRate, restingHeartRate: summary.restingHeartRate,
            sleep: summary.sleep, trends: summary.trends, numbers: context.numbers)
        let week = summary.week.map { week in
            let days = [summary.steps?.day, summary.restingHeartRate?.day, summary.sleep?.day]
            return [
                WeekSection(week: week, hasFigures: days.contains(week.days.last), numbers: context.numbers).markup
            ]
        }
        return try Choice.upTo(context, at: address) + [cards.markup] + note + (week ?? []) + others(summary, context)
    }

    private func others(_ summary: SummaryOverview, _ context: PageContext) -> [Markup] {
        guard !summary.otherMetrics.isEmpty else { return [] }
        let table = LatestMetricsTable(metrics: summary.otherMetrics, catalog: catalog, numbers: context.numbers)
        return [
            .tag("section", [.class("card"), .id("metrics")], .tag("h2", [], "Other metrics"), table.markup)
        ]
    }
}
