import HealthSyncDomain
import HealthSyncPorts

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
        return [ShoeColours.link] + done(context) + [stretch]
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
