import HealthSyncDomain
import HealthSyncPorts

/// Deletes a pair of shoes. First shows the number of sessions that become unattributed, and deletes the pair only if
/// the number is still the same when the user confirms.
struct DeleteShoe: PageAction {
    static let address = "\(ShoesPage.address)/delete"
    let reader: any ShoeReader
    let actions: any ShoeActions

    /// Returns the button for a shoe.
    static func form(_ shoe: Shoe, _ viewer: WebViewer) -> Markup {
        Form.post(
            address, viewer: viewer,
            [
                Form.hidden("shoe", ShoeLabels.id(shoe.id)),
                Form.button("Delete", [.init("aria-label", "Delete: \(ShoeLabels.label(shoe))")]),
            ])
    }

    func place(of request: WebRequest) -> FormPlace? { ShoePage.place(of: request) }

    func perform(_ request: WebRequest) async throws -> ActionOutcome {
        let id = try ShoeLabels.id(in: request)
        let collection = try await reader.shoeCollection()
        guard let shoe = collection.shoes.first(where: { $0.id == id }) else { throw ShoePage.noShoe }
        let count = collection.sessions.all.count { $0.shoe == id }
        let confirmed = request.fields("confirmed").first
        guard confirmed == "\(count)" else {
            return .page(
                name: "Delete \(shoe.label)?",
                question(shoe, count, viewer: request.viewer, hasChanged: confirmed != nil))
        }
        _ = try await actions.run(.delete(id))
        return .seeOther(ShoesPage.address)
    }

    private func question(_ shoe: Shoe, _ count: Int, viewer: WebViewer, hasChanged: Bool) -> [Markup] {
        let notice = Markup.tag(
            "p", [.class("notice warn"), .id("changed"), .init("role", "alert")],
            "The sessions of these shoes changed since this page was loaded. Nothing was deleted.")
        let sessions = count == 1 ? "1 session becomes" : "\(count) sessions become"
        return (hasChanged ? [notice] : []) + [
            .tag(
                "section", [.class("card"), .id("delete")],
                .tag("p", [], .text("\(sessions) unattributed. This cannot be undone.")),
                .tag("p", [], "Archived shoes keep their sessions."),
                Form.post(
                    Self.address, viewer: viewer,
                    [
                        Form.hidden("shoe", ShoeLabels.id(shoe.id)), Form.hidden("confirmed", "\(count)"),
                        .tag(
                            "p", [.class("fields")], Form.button("Delete permanently", [.class("strong")]),
                            .tag("a", [.class("button"), .href(ShoePage.address(of: shoe.id))], "Cancel")),
                    ]))
        ]
    }
}
