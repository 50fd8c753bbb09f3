import HealthSyncDomain
import HealthSyncPorts

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
