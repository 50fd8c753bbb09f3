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
