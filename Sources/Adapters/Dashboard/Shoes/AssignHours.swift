import HealthSyncDomain
import HealthSyncPorts

/// Assigns hours to a shoe. If other shoes were worn in these hours, first shows the hours that they would lose, and
/// assigns them only if the conflicts are still the same when the user confirms.
struct AssignHours: PageAction {
    static let address = "/view/journal/assign"
    let reader: any ShoeReader
    let actions: any ShoeActions
    let clock: DayClock
    let undo: JournalUndo

    func place(of request: WebRequest) -> FormPlace? { JournalPage.place(of: request) }

    func perform(_ request: WebRequest) async throws -> ActionOutcome {
        let choice = try HourChoice(request)
        let shoe = try ShoeLabels.id(in: request)
        let (journal, shoes) = try await reader.journal(of: choice.day)
        let ranges = try DayHours(of: choice.day, clock: clock).ranges(of: choice.text)
        let conflicts = HourConflicts(journal: journal, choice: choice, ranges: ranges, shoe: shoe)
        let confirmed = request.fields("confirmed").first
        if !conflicts.isEmpty, confirmed != conflicts.text {
            return .page(
                name: "Other shoes were worn in these hours",
                conflicts.content(
                    names: ShoeLabels(shoes), viewer: request.viewer,
                    clock: WallClock(days: clock, form: ClockForm(language: request.language)),
                    haveChanged: confirmed != nil))
        }
        let done = try await actions.run(.assign(choice.text, on: choice.day, to: shoe))
        return .seeOther(
            undo.remember("\(choice.count) assigned to \(ShoeLabels(shoes).label(shoe)).", on: choice.day, done.change))
    }
}

/// The hours of a day that a form selects.
private struct HourChoice {
    let day: CalendarDay
    /// The hours as `DayHours` names them.
    let hours: [String]

    init(_ request: WebRequest) throws(SyncFailure) {
        guard let day = request.fields("day").first.flatMap({ CalendarDay($0) }) else {
            throw SyncFailure(.usage, subject: "journal", reason: "no day is selected", advice: "select a day")
        }
        hours = request.fields("hour")
        guard !hours.isEmpty else {
            throw SyncFailure(
                .usage, subject: "journal", reason: "no hours are selected", advice: "select hours")
        }
        self.day = day
    }

    /// Such as "4 hours".
    var count: String { CountText.of(hours.count, "hour") }

    /// The ranges that the actions expect.
    var text: String { hours.joined(separator: ",") }
}

/// The time that other shoes would lose if hours were assigned to a shoe.
private struct HourConflicts {
    private let choice: HourChoice
    private let shoe: Shoe.ID
    private let wearings: [ShoeJournal.Wearing]

    /// - Parameter ranges: the time ranges of `choice`.
    init(journal: ShoeJournal, choice: HourChoice, ranges: [InstantRange], shoe: Shoe.ID) {
        self.choice = choice
        self.shoe = shoe
        wearings = journal.hours.filter { hour in ranges.contains { $0.contains(hour.range.start) } }
            .flatMap(\.wearings).filter { $0.shoe != shoe }
    }

    var isEmpty: Bool { wearings.isEmpty }

    /// The conflicts as one word. The confirmation form contains it, so that it confirms only these conflicts.
    var text: String {
        wearings.map { "\(UUIDText.text($0.shoe)):\($0.range.start.milliseconds)-\($0.range.end.milliseconds)" }
            .joined(separator: ",")
    }

    /// Returns the conflicts, with buttons to confirm or cancel.
    ///
    /// - Parameter haveChanged: whether the user confirmed other conflicts before.
    func content(names: ShoeLabels, viewer: WebViewer, clock: WallClock, haveChanged: Bool) -> [Markup] {
        var table = DataTable(
            "Changes on \(choice.day.dateInWords)",
            [.text("From"), .text("To"), .text("Current shoes"), .text("New shoes")])
        for wearing in wearings {
            table.add([
                clock.time(wearing.range.start), clock.time(wearing.range.end), .text(names.label(wearing.shoe)),
                .text(names.label(shoe)),
            ])
        }
        let fields =
            [
                Form.hidden("day", "\(choice.day)"), Form.hidden("shoe", ShoeLabels.id(shoe)),
                Form.hidden("confirmed", text),
            ]
            + choice.hours.map { Form.hidden("hour", $0) }
        let notice = Markup.tag(
            "p", [.class("notice warn"), .id("changed"), .init("role", "alert")],
            "The shoes worn in these hours changed since this page was loaded. Nothing was assigned.")
        return (haveChanged ? [notice] : []) + [
            .tag(
                "section", [.class("card"), .id("conflicts")], table.markup,
                Form.post(
                    AssignHours.address, viewer: viewer,
                    fields + [
                        .tag(
                            "p", [.class("fields")], Form.button("Assign anyway", [.class("strong")]),
                            .tag(
                                "a", [.class("button"), .href(JournalPage.address(of: choice.day))], "Cancel"
                            ))
                    ]))
        ]
    }
}

/// Removes the assignment of hours to shoes.
struct ClearHours: PageAction {
    static let address = "/view/journal/clear"
    let actions: any ShoeActions
    let undo: JournalUndo

    func place(of request: WebRequest) -> FormPlace? { JournalPage.place(of: request) }

    func perform(_ request: WebRequest) async throws -> ActionOutcome {
        let choice = try HourChoice(request)
        let done = try await actions.run(.unassign(choice.text, on: choice.day))
        return .seeOther(undo.remember("\(choice.count) cleared.", on: choice.day, done.change))
    }
}
