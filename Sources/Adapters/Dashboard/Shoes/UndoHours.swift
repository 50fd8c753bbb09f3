import HealthSyncDomain
import HealthSyncPorts

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
