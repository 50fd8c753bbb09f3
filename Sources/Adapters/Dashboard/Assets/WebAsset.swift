/// A file of the pages that the program carries in itself: style, script, icon.
package struct WebAsset: Sendable {
    /// The name of the file below `Web`.
    package let name: String
    /// Its media type.
    package let type: String
    /// Its content.
    package let text: String

    /// The styles, in the order in which they hold.
    static let styles = [
        WebAsset(name: "base.css", type: css, text: baseCSS),
        WebAsset(name: "content.css", type: css, text: contentCSS),
        WebAsset(name: "charts.css", type: css, text: chartsCSS),
    ]

    /// The scripts; every page works without.
    static let scripts = [
        // First: it looks at the page as the server made it.
        WebAsset(name: "live.js", type: script, text: liveJS),
        WebAsset(name: "select.js", type: script, text: selectJS),
    ]

    /// The icon.
    static let icon = WebAsset(name: "icon.svg", type: "image/svg+xml", text: iconSVG)

    /// All files.
    package static let all = styles + scripts + [icon]

    private static let script = "text/javascript; charset=utf-8"
    private static let css = "text/css; charset=utf-8"

    /// The path under which it is served.
    var path: String { "/assets/\(name)" }

    /// The file at `path`.
    static func at(_ path: [String]) -> WebAsset? {
        guard path.count == 2, path[0] == "assets" else { return nil }
        return all.first { $0.name == path[1] }
    }
}
