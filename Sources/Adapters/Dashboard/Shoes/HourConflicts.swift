import HealthSyncDomain
import HealthSyncPorts

/// The time that other shoes would lose if hours were assigned to a shoe.
struct HourConflicts {
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
