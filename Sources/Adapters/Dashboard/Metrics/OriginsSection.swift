import HealthSyncDomain

/// The figure of each source alone next to the figure of the day.
struct OriginsSection {
    let progress: DailyProgress
    let figure: MetricFigure

    var markup: Markup {
        var table = DataTable(
            "Each source alone next to the merged figure", [.text("Source"), .number(figure.heading)])
        for origin in progress.origins {
            table.add([
                .tag("span", [.class("name")], .text(UUIDText.folded(origin.sourceName))), figure.cell(origin.quantity),
            ])
        }
        table.add(["merged", figure.cell(progress.figures.quantity)])
        return .tag("section", [.class("card")], .tag("h2", [], "Sources"), table.markup)
    }
}
