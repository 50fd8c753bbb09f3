import HealthSyncDomain

/// The shoes worn on a day.
struct JournalTotalsSection {
    let journal: ShoeJournal
    let names: ShoeLabels
    let context: PageContext

    var markup: Markup {
        var table = DataTable(
            "Steps, distance and time by shoe", [.text("Shoe"), .number("Steps"), .number("Distance"), .number("Worn")])
        for use in journal.uses {
            table.add(
                [
                    .tag("span", [.class("swatch \(names.style(use.shoe))")])
                        + .tag("a", [.href(ShoePage.address(of: use.shoe))], .text(names.label(use.shoe)))
                ] + WalkCells.cells(use.figures, context.numbers) + [SleepFigure.duration(use.worn)])
        }
        table.add(["no shoes"] + WalkCells.cells(journal.unattributed, context.numbers) + ["–"])
        table.add(["total"] + WalkCells.cells(journal.total, context.numbers) + ["–"])
        return .tag("section", [.class("card"), .id("totals")], .tag("h2", [], "Shoes of the day"), table.markup)
    }
}
