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
    static let styles = [
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
