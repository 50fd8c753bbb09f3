import HealthSyncDomain
import HealthSyncPorts

/// A page. An error that it throws is shown as a page of its own.
protocol Page: Sendable {
    /// The path on this host, of characters that need no encoding.
    static var address: String { get }
    /// The name in the navigation and, by default, the title.
    var name: String { get }
    /// The name of its entry in the navigation: its own by default, that of the page whose detail it is.
    var entry: String { get }
    /// Whether the page shows the figures of the day in the parameter `day`. The navigation then keeps the day.
    var showsDay: Bool { get }
    /// Returns the title of the window and the heading.
    func title(_ context: PageContext) async throws -> String
    /// Returns the content below the heading.
    func content(_ context: PageContext) async throws -> [Markup]
}

extension Page {
    var entry: String { name }
    /// Whether the navigation links to the page; a detail of another page is linked there.
    var isInNavigation: Bool { entry == name }
    var showsDay: Bool { false }
    var address: String { Self.address }
    /// The segments of the path.
    var path: [String] { address.split(separator: "/").map(String.init) }
    func title(_ context: PageContext) async throws -> String { name }
}

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

/// A style, script or icon of the pages, embedded in the program.
package struct WebAsset: Sendable {
    /// The name of the file in `Web`.
    package let name: String
    /// The media type.
    package let type: String
    /// The content.
    package let text: String

    private init(name: String, type: String, content: [UInt8]) {
        (self.name, self.type) = (name, type)
        text = String(decoding: content, as: UTF8.self)
    }

    /// The styles, in cascade order.
    fileprivate static let styles = [
        WebAsset(name: "base.css", type: css, content: PackageResources.base_css),
        WebAsset(name: "content.css", type: css, content: PackageResources.content_css),
        WebAsset(name: "forms.css", type: css, content: PackageResources.forms_css),
        WebAsset(name: "charts.css", type: css, content: PackageResources.charts_css),
    ]

    /// The scripts; every page works without them.
    static let scripts = [
        // First: it reads the page as the server sent it.
        WebAsset(name: "live.js", type: script, content: PackageResources.live_js),
        WebAsset(name: "select.js", type: script, content: PackageResources.select_js),
        WebAsset(name: "copy.js", type: script, content: PackageResources.copy_js),
        WebAsset(name: "charts.js", type: script, content: PackageResources.charts_js),
        WebAsset(name: "import.js", type: script, content: PackageResources.import_js),
    ]

    /// The icon.
    static let icon = WebAsset(name: "icon.svg", type: "image/svg+xml", content: PackageResources.icon_svg)

    /// All files.
    package static let all = styles + scripts + [icon]

    private static let script = "text/javascript; charset=utf-8"
    /// The media type of style sheets.
    static let css = "text/css; charset=utf-8"

    /// The path of the file on the host.
    var path: String { "/assets/\(name)" }

    /// Returns the file at `path`.
    static func at(_ path: [String]) -> WebAsset? {
        guard path.count == 2, path[0] == "assets" else { return nil }
        return all.first { $0.name == path[1] }
    }
}
