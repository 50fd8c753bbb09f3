import HealthSyncDomain
import HealthSyncPorts

/// Deletes a pair of shoes. It first shows what becomes unattributed, and deletes only if that has not changed since.
struct DeleteShoe: PageAction {
    static let address = "\(ShoesPage.address)/delete"
    let reader: any ShoeReader
    let actions: any ShoeActions

    /// The button for a shoe.
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
        _ = try await actions.deleteShoe(id)
        return .seeOther(ShoesPage.address)
    }

    private func question(_ shoe: Shoe, _ count: Int, viewer: WebViewer, hasChanged: Bool) -> [Markup] {
        let notice = Markup.tag(
            "p", [.class("notice warn"), .id("changed"), .init("role", "alert")],
            "The pair was worn since this was shown. Nothing was deleted.")
        let sessions = count == 1 ? "1 session becomes" : "\(count) sessions become"
        return (hasChanged ? [notice] : []) + [
            .tag(
                "section", [.class("card"), .id("delete")],
                .tag("p", [], .text("\(sessions) unattributed. This cannot be undone.")),
                .tag("p", [], "A pair that is put away keeps its sessions."),
                Form.post(
                    Self.address, viewer: viewer,
                    [
                        Form.hidden("shoe", ShoeLabels.id(shoe.id)), Form.hidden("confirmed", "\(count)"),
                        .tag(
                            "p", [.class("fields")], Form.button("Delete for good", [.class("strong")]),
                            .tag("a", [.class("button"), .href(ShoePage.address(of: shoe.id))], "Keep the pair")),
                    ]))
        ]
    }
}
