import HealthSyncDomain
import HealthSyncPorts

/// The hours of a day, colored by shoe, with checkboxes.
struct JournalHoursSection {
    let journal: ShoeJournal
    let shoes: [Shoe]
    let names: ShoeLabels
    let context: PageContext

    var markup: [Markup] {
        let worn = shoes.map(\.id).filter { shoe in journal.uses.contains { $0.shoe == shoe } }
        let drawing: Markup =
            journal.hours.allSatisfy(isEmpty) ? .tag("p", [], "No steps were recorded on this day.") : chart
        let head: [Markup] = [.tag("h2", [], "Hours"), drawing] + (worn.isEmpty ? [] : [names.legend(worn)])
        guard !shoes.isEmpty else {
            return [
                .tag(
                    "section", [.class("card"), .id("hours")],
                    head + tables(isForm: false) + [
                        .tag(
                            "p", [], .tag("a", [.href(ShoesPage.address)], "Add shoes"), " to assign hours to them.")
                    ])
            ]
        }
        let bar = Markup.tag(
            "div", [.class("fields bar")],
            .tag("p", [.class("selection")]), .tag("div", [], .tag("label", [.init("for", "shoe")], "Shoe"), choice),
            Form.button("Assign selected hours", [.class("strong")]),
            Form.button("Clear selected hours", [.init("formaction", ClearHours.address)]))
        let form = Form.post(
            AssignHours.address, viewer: context.request.viewer,
            [Form.hidden("day", "\(journal.day)")] + tables(isForm: true) + [bar],
            attributes: [.init("data-select", "hour")])
        return [.tag("section", [.class("card"), .id("hours")], head + [form])]
    }

    private var choice: Markup {
        let ordered = shoes.filter { !$0.isArchived } + shoes.filter(\.isArchived)
        return .tag(
            "select", [.id("shoe"), .init("name", "shoe")],
            ordered.map { shoe in
                .tag(
                    "option",
                    [
                        .init("value", ShoeLabels.id(shoe.id)),
                        context.isChosen("shoe", ShoeLabels.id(shoe.id), usual: shoe.isDefault)
                            ? .init("selected") : .none,
                    ], .text(names.label(shoe.id) + (shoe.isArchived ? " (archived)" : "")))
            })
    }

    private var chart: Markup {
        let times = times
        let columns = journal.hours.enumerated().map { index, hour in
            let steps = hour.figures.steps ?? 0
            let shoes = hour.wearings.map { names.label($0.shoe) }.joined(separator: ", ")
            var column = ChartColumn(
                "\(times[index]): "
                    + (hour.figures.steps.map { "\(context.numbers.whole($0)) steps" } ?? "no steps recorded")
                    + (shoes.isEmpty ? "" : ", \(shoes)"),
                label: context.wallClock.hour(hour.range.start),
                address: hour.name.map { "#hour-\($0)" })
            let worn = hour.wearings.map { ($0.figures.steps ?? 0, "stage \(names.style($0.shoe))") }
            column.parts = worn + [(max(0, steps - worn.reduce(0) { $0 + $1.0 }), "stage no-shoe")]
            return column
        }
        return ColumnChart(
            description: "Steps of \(journal.day.dateInWords) by hour and shoe", columns: columns,
            unit: 1, mark: { context.numbers.whole($0) }
        ).markup
    }

    /// Returns the hours with figures or shoes, and the others, which are collapsed at first.
    private func tables(isForm: Bool) -> [Markup] {
        let all = Array(zip(journal.hours, times))
        let empty = all.filter { isEmpty($0.0) }
        guard !empty.isEmpty else { return [table("Hours", all, isForm: isForm).markup] }
        let caption = CountText.of(empty.count, "hour") + " without steps"
        let others = all.filter { !isEmpty($0.0) }
        return (others.isEmpty ? [] : [table("Hours", others, isForm: isForm).markup]) + [
            .tag(
                "details", [.id("empty-hours")], .tag("summary", [], .text(caption)),
                table(caption, empty, isForm: isForm).markup)
        ]
    }

    private func isEmpty(_ hour: ShoeJournal.Hour) -> Bool {
        (hour.figures.steps ?? 0) == 0 && (hour.figures.kilometres ?? 0) == 0 && hour.wearings.isEmpty
            && !(hour.name.map { context.isChosen("hour", $0, usual: false) } ?? false)
    }

    private func table(_ caption: String, _ hours: [(ShoeJournal.Hour, String)], isForm: Bool) -> DataTable {
        var table = DataTable(caption, [.text("Hour"), .number("Steps"), .number("Distance"), .text("Shoes")])
        for (hour, time) in hours {
            let mayChoose = isForm && hour.range.start < context.now
            let name: Markup =
                if mayChoose, let name = hour.name {
                    Form.checkbox(
                        "hour", value: name, label: .text(time),
                        isChecked: context.isChosen("hour", name, usual: false), id: "hour-\(name)",
                        attributes: [.init("data-steps", CanonicalNumber.text(hour.figures.steps ?? 0))])
                } else {
                    context.wallClock.time(hour.range.start, text: time)
                }
            table.add(
                [name] + WalkCells.cells(hour.figures, context.numbers) + [
                    .all(hour.wearings.map { worn($0, in: hour) })
                ])
        }
        return table
    }

    private func worn(_ wearing: ShoeJournal.Wearing, in hour: ShoeJournal.Hour) -> Markup {
        let part =
            wearing.range == hour.range
            ? "" : " \(context.clockTime(wearing.range.start))–\(context.clockTime(wearing.range.end))"
        return .tag(
            "span", [.class("worn")], .tag("span", [.class("swatch \(names.style(wearing.shoe))")]),
            .tag("bdi", [], .text(names.label(wearing.shoe))), .text(part))
    }

    private var times: [String] {
        context.wallClock.hours(journal.hours.map(\.range.start))
    }
}
