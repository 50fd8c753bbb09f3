import HealthSyncDomain
import HealthSyncPorts

/// What other shoes would lose when hours are given to a shoe.
struct HourConflicts {
    private let choice: HourChoice
    private let shoe: Shoe.ID
    private let wearings: [ShoeJournal.Wearing]

    /// - Parameter ranges: the stretches of time that `choice` names, in whatever way.
    init(journal: ShoeJournal, choice: HourChoice, ranges: [InstantRange], shoe: Shoe.ID) {
        self.choice = choice
        self.shoe = shoe
        wearings = journal.hours.filter { hour in ranges.contains { $0.contains(hour.range.start) } }
            .flatMap(\.wearings).filter { $0.shoe != shoe }
    }

    var isEmpty: Bool { wearings.isEmpty }

    /// What is lost, with ways on and back.
    func content(names: ShoeLabels, viewer: WebViewer, clock: WallClock) -> [Markup] {
        var table = DataTable(
            "What changes on \(choice.day)", [.text("From"), .text("To"), .text("Worn now"), .text("Then")])
        for wearing in wearings {
            table.add([
                clock.time(wearing.range.start), clock.time(wearing.range.end), .text(names.label(wearing.shoe)),
                .text(names.label(shoe)),
            ])
        }
        let fields =
            [
                Form.hidden("day", "\(choice.day)"), Form.hidden("shoe", ShoeLabels.id(shoe)),
                Form.hidden("confirmed", "yes"),
            ]
            + choice.hours.map { Form.hidden("hour", $0) }
        return [
            .tag(
                "section", [.class("card"), .id("conflicts")], table.markup,
                Form.post(
                    AssignHours.address, viewer: viewer,
                    fields + [
                        .tag(
                            "p", [.class("fields")], Form.button("Assign all the same", [.class("strong")]),
                            .tag(
                                "a", [.class("button"), .href(JournalPage.address(of: choice.day))], "Leave it as it is"
                            ))
                    ]))
        ]
    }
}
