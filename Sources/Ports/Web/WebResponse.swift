/// A response to a browser.
package struct WebResponse: Hashable, Sendable {
    /// The content of a response.
    package enum Content: Hashable, Sendable {
        /// Text with its media type, such as `text/html; charset=utf-8`.
        case text(String, type: String)
        /// A redirection to a path on the same host.
        case redirect(to: String)
    }

    package var status: Int
    package var content: Content

    package init(status: Int = 200, content: Content) {
        self.status = status
        self.content = content
    }

    /// Returns an HTML page.
    package static func page(_ html: String, status: Int = 200) -> WebResponse {
        WebResponse(status: status, content: .text(html, type: "text/html; charset=utf-8"))
    }

    /// Returns a redirection after a form; the browser does not send the form again.
    package static func seeOther(_ path: String) -> WebResponse {
        WebResponse(status: 303, content: .redirect(to: path))
    }
}
