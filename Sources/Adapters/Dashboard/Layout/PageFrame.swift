import HealthSyncDomain
import HealthSyncPorts

/// The head, navigation and footer of every page.
struct PageFrame: Sendable {
    /// A link to a page.
    struct Entry: Sendable {
        let name: String
        let address: String
        /// Whether the page shows a selected day.
        let showsDay: Bool
    }

    /// The links to all pages.
    let navigation: [Entry]
    /// The zone of the times on the pages.
    let zoneName: String

    /// Returns the page with that title and content; `entry` is the name of its entry in the navigation, to which the
    /// page itself belongs or, with `isDetail`, the page whose detail it is. The navigation keeps `day`. `zone` names the
    /// time zone if it is not `zoneName`. `footer` has the notices about the time zone and about changes of the past.
    func document(
        name: String, entry: String? = nil, isDetail: Bool = false, day: CalendarDay? = nil, content: [Markup],
        viewer: WebViewer? = nil, zone: String? = nil, footer: [String?] = []
    ) -> String {
        let notices = zip(["zone-notice", "history-notice"], footer).compactMap { id, notice in
            notice.map { Markup.tag("p", [.id(id)], .text($0.inSentenceCase + ".")) }
        }
        return Markup.tag(
            "html", [.init("lang", "en")], head(name),
            .tag(
                "body", [],
                .tag("a", [.class("skip"), .href("#main")], "Skip to content"),
                top(current: entry ?? name, isDetail: isDetail, day: day, viewer: viewer),
                .tag("main", [.id("main")], [.tag("h1", [], .text(name))] + content),
                .tag(
                    "footer", [.class("bottom")],
                    [.tag("p", [], "Times are in the time zone \(zone ?? zoneName).")] + notices))
        ).document
    }

    private func head(_ name: String) -> Markup {
        let styles = WebAsset.styles.map { style in
            Markup.tag("link", [.init("rel", "stylesheet"), .href(style.path)])
        }
        return .tag(
            "head", [],
            [
                .tag("meta", [.init("charset", "utf-8")]),
                .tag(
                    "meta",
                    [.init("name", "viewport"), .init("content", "width=device-width, initial-scale=1")]),
                .tag("meta", [.init("name", "color-scheme"), .init("content", "light dark")]),
                .tag("title", [], "\(name) · healthsync"),
                .tag("link", [.init("rel", "icon"), .href(WebAsset.icon.path), .init("type", WebAsset.icon.type)]),
            ] + styles
                + WebAsset.scripts.map { .tag("script", [.init("src", $0.path), .init("defer")]) })
    }

    private func top(current: String, isDetail: Bool, day: CalendarDay?, viewer: WebViewer?) -> Markup {
        let entries = navigation.map { entry in
            let mark: Markup.Attribute =
                entry.name == current ? .init("aria-current", isDetail ? "true" : "page") : .none
            let kept = entry.showsDay ? day : nil
            let address = Choice.address(entry.address, kept.map { [("day", "\($0)")] } ?? [])
            return Markup.tag("li", [], .tag("a", [.href(address), mark], .text(entry.name)))
        }
        var parts: [Markup] = [.tag("p", [.class("brand")], .tag("a", [.href("/")], "healthsync"))]
        if !entries.isEmpty, viewer != nil {
            parts.append(.tag("nav", [.init("aria-label", "Pages")], .tag("ul", [], entries)))
        }
        if let viewer, viewer.hasSession {
            parts.append(Form.post("/logout", viewer: viewer, [Form.button("Log out")]))
        }
        return .tag("header", [.class("top")], parts)
    }
}
