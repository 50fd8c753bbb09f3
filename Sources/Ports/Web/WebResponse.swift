/// What a browser is answered.
package struct WebResponse: Hashable, Sendable {
    /// What it is.
    package enum Content: Hashable, Sendable {
        /// Text of a media type, such as `text/html; charset=utf-8`.
        case text(String, type: String)
        /// Go there: a path on the same host.
        case redirect(to: String)
    }

    package var status: Int
    package var content: Content

    package init(status: Int = 200, content: Content) {
        self.status = status
        self.content = content
    }

    /// A page.
    package static func page(_ html: String, status: Int = 200) -> WebResponse {
        WebResponse(status: status, content: .text(html, type: "text/html; charset=utf-8"))
    }

    /// Look there now; what was sent by a form is not sent again.
    package static func seeOther(_ path: String) -> WebResponse {
        WebResponse(status: 303, content: .redirect(to: path))
    }
}
