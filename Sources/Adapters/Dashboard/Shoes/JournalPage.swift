import HealthSyncDomain
import HealthSyncPorts
import Synchronization

/// A day by hour: steps, distance and shoes. Hours can be assigned to a shoe or cleared.
struct JournalPage: Page {
    static let address = "/view/journal"
    let name = "Journal"
    let showsDay = true
    let reader: any ShoeReader
    let undo: JournalUndo

    /// The value of `done` after an undo.
    static let undone = "undone"

    func content(_ context: PageContext) async throws -> [Markup] {
        let latest = try await context.repository.latestDay(of: .steps, through: context.today)
        let day = try context.day(latest: latest)
        let (journal, shoes) = try await reader.journal(of: day)
        let names = ShoeLabels(shoes)
        let first = context.recorded?.first ?? day
        let stretch = Choice.stretch(
            Figure.day(day), before: first < day ? day.advanced(by: -1) : nil,
            after: day < context.today ? day.advanced(by: 1) : nil,
            latest: latest.flatMap { $0 == day ? nil : $0 }, day: day, path: address, fixed: [],
            names: ("Previous day", "Next day"))
        return [ShoeColors.link] + done(context) + [stretch]
            + JournalHoursSection(journal: journal, shoes: shoes, names: names, context: context).markup
            + [JournalTotalsSection(journal: journal, names: names, context: context).markup]
    }

    /// Returns what the form that led here changed, with a button to undo it.
    private func done(_ context: PageContext) -> [Markup] {
        let number = context.request.parameter("done")
        let text: [Markup]
        if let change = undo.change(numbered: number) {
            text = [.tag("p", [], .text(change.text)), UndoHours.form(change, context.request.viewer)]
        } else if number == Self.undone {
            text = [.tag("p", [], "The hours are as before.")]
        } else {
            return []
        }
        return [.tag("div", [.class("notice fields"), .id("done"), .init("role", "status")], text)]
    }

    /// Returns the page of the day in a form.
    static func place(of request: WebRequest) -> FormPlace {
        FormPlace(address: address, query: request.fields("day").map { WebField("day", $0) })
    }

    /// Returns the address of the journal of a day.
    static func address(of day: CalendarDay) -> String { Choice.address(address, [("day", "\(day)")]) }
}

/// The last change that the journal made to sessions, so that it can be undone. It is forgotten with the process.
final class JournalUndo: Sendable {
    /// A change of the hours of a day.
    struct Change: Sendable {
        let number: Int
        let day: CalendarDay
        /// What was changed, in words.
        let text: String
        let sessions: SessionChange
    }

    private let state = Mutex<(last: Change?, count: Int)>((nil, 0))

    /// Remembers a change; returns the address of the page that reports it.
    func remember(_ text: String, on day: CalendarDay, _ sessions: SessionChange) -> String {
        let number = state.withLock { state in
            state.count += 1
            state.last = Change(number: state.count, day: day, text: text, sessions: sessions)
            return state.count
        }
        return Choice.address(JournalPage.address, [("day", "\(day)"), ("done", "\(number)")])
    }

    /// Returns the last change if it has this number.
    func change(numbered text: String?) -> Change? {
        state.withLock { state in state.last.flatMap { "\($0.number)" == text ? $0 : nil } }
    }

    /// Forgets the last change.
    fileprivate func forget() { state.withLock { $0.last = nil } }
}

/// The hours of a day, colored by shoe, with checkboxes.
private struct JournalHoursSection {
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

/// The shoes worn on a day.
private struct JournalTotalsSection {
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

/// Undoes the last assignment or removal of hours.
struct UndoHours: PageAction {
    static let address = "/view/journal/undo"
    let actions: any ShoeActions
    let undo: JournalUndo

    /// Returns the form for a change.
    static func form(_ change: JournalUndo.Change, _ viewer: WebViewer) -> Markup {
        Form.post(
            address, viewer: viewer,
            [
                Form.hidden("day", "\(change.day)"), Form.hidden("number", "\(change.number)"), Form.button("Undo"),
            ])
    }

    func place(of request: WebRequest) -> FormPlace? { JournalPage.place(of: request) }

    func perform(_ request: WebRequest) async throws -> ActionOutcome {
        guard let change = undo.change(numbered: request.fields("number").first) else {
            throw SyncFailure(
                .usage, subject: "undo", reason: "only the last change can be undone", advice: "assign the hours again")
        }
        _ = try await actions.run(.undo(change.sessions))
        undo.forget()
        return .seeOther(
            Choice.address(JournalPage.address, [("day", "\(change.day)"), ("done", JournalPage.undone)]))
    }
}
