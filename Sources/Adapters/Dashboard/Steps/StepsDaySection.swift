import HealthSyncDomain

/// The steps of one day, by hours and by sources.
struct StepsDaySection {
    let day: CalendarDay
    let progress: DailyProgress?
    let context: PageContext

    var markup: [Markup] {
        guard let progress else {
            return [.tag("section", [.class("card")], .tag("p", [], "No steps were recorded on \(day)."))]
        }
        return [
            .tag(
                "section", [.class("card")],
                .tag(
                    "p", [.class("figure"), .id("total")], Figure.number(total(progress), steps(total(progress))),
                    .tag("small", [], " steps")),
                .tag("p", [.class("quiet")], "Merged over all devices: steps that several counted count once."),
                hoursChart(progress), hoursTable(progress).behindChart)
        ] + (progress.origins.isEmpty ? [] : [sources(progress)])
    }

    private func total(_ progress: DailyProgress) -> Double { progress.figures.quantity }

    private func slots(_ progress: DailyProgress) -> [HourSlot] {
        HourSlot.slots(of: day, measured: progress.hours, clock: context.clock)
    }

    private func times(_ slots: [HourSlot]) -> [String] { context.wallClock.hours(slots.map(\.interval.start)) }

    private func hoursChart(_ progress: DailyProgress) -> Markup {
        let slots = slots(progress)
        let times = times(slots)
        let columns = slots.enumerated().map { index, slot in
            let label =
                ColumnLabels.isLabelled(index, of: slots.count) ? context.wallClock.hour(slot.interval.start) : ""
            guard let count = slot.figures?.quantity else {
                return ChartColumn("\(times[index]): nothing recorded", label: label)
            }
            var column = ChartColumn("\(times[index]): \(steps(count)) steps", label: label)
            column.parts = [(count, "bar")]
            return column
        }
        return ColumnChart(
            description: "Steps of \(day) by hour, \(slots.count) hours", columns: columns,
            unit: 1, mark: { context.numbers.whole($0) }
        ).markup
    }

    private func hoursTable(_ progress: DailyProgress) -> DataTable {
        var table = DataTable("Steps by hour", [.text("Hour"), .number("Steps")])
        let slots = slots(progress)
        for (slot, time) in zip(slots, times(slots)) {
            table.add([
                context.wallClock.time(slot.interval.start, text: time),
                slot.figures.map { Figure.number($0.quantity, steps($0.quantity)) } ?? "–",
            ])
        }
        return table
    }

    private func sources(_ progress: DailyProgress) -> Markup {
        var table = DataTable("Each source alone beside the merged figure", [.text("Source"), .number("Steps")])
        for origin in progress.origins {
            table.add([
                .tag("span", [.class("name")], .text(origin.sourceName)),
                Figure.number(origin.quantity, steps(origin.quantity)),
            ])
        }
        table.add(["merged", Figure.number(total(progress), steps(total(progress)))])
        return .tag("section", [.class("card")], .tag("h2", [], "Sources"), table.markup)
    }

    private func steps(_ count: Double) -> String { context.numbers.whole(count) }
}
