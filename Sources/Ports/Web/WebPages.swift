package import HealthSyncDomain

/// Pages for a browser, hosted by a server. They do not use HTTP except through these values.
///
/// Contract:
/// - The host calls `answer` only for a viewer whom it authenticated, with a method that the route allows, and for
///   `.post` only after it checked that the form comes from one of its own pages (`Origin` and form token).
/// - Only the host sets headers: content security policy, caching, cookies.
/// - `answer` may be called from any number of tasks at once. A `.get` changes nothing. An error is reported as a page.
///   Pages load nothing from other sites and contain no inline script or style.
package protocol WebPages: Sendable {
    /// Returns the route of a path, or `nil` if the path does not belong to the pages.
    func route(at path: [String]) -> WebRoute?
    /// Returns what receives the file of the form at `path`; `nil` if the form has no file.
    func uploads(at path: [String]) -> (any FileUploads)?
    /// Returns the response to an accepted request, also for a path without a page.
    func answer(_ request: WebRequest) async -> WebResponse
    /// Returns the page with the login form; after a failed login it contains an error.
    func loginPage(afterFailure: Bool) -> WebResponse
    /// Returns the page that explains why the host rejected a request.
    func errorPage(status: Int, reason: String) -> WebResponse
}

/// A path of the pages.
package struct WebRoute: Hashable, Sendable {
    /// The path under which requests are counted, such as `/view/sleep`, without any value that a client chose; `nil`
    /// if no page exists at the path.
    package var template: String?
    /// The methods that the path supports; empty if no page exists there.
    package var methods: [WebRequest.Method]
    /// Whether the path is a file of the pages (style, script, icon), which needs no login.
    package var isAsset: Bool

    package init(template: String?, methods: [WebRequest.Method], isAsset: Bool = false) {
        self.template = template
        self.methods = methods
        self.isAsset = isAsset
    }
}

/// A request from a browser that its host has accepted.
package struct WebRequest: Hashable, Sendable {
    /// The method of a request.
    package enum Method: String, Sendable {
        /// Shows a page; changes nothing.
        case get = "GET"
        /// Sends a form of a page.
        case post = "POST"
    }

    /// The name of the form field that contains `WebViewer.formToken`.
    package static let formTokenField = "form_token"

    package var method: Method
    /// Decoded segments of the path; empty for the root.
    package var path: [String]
    package var query: [WebField]
    /// Fields of the form, without its token. A name may occur more than once.
    package var form: [WebField]
    /// The file that was sent with the form; the receiver deletes it. `nil` for none.
    package var file: UploadedFile?
    /// Why the file of the form could not be received.
    package var fileFailure: SyncFailure?
    /// `Accept-Language` as the browser sent it.
    package var language: String
    package var viewer: WebViewer

    package init(
        method: Method = .get, path: [String], query: [WebField] = [], form: [WebField] = [], language: String = "",
        viewer: WebViewer
    ) {
        self.method = method
        self.path = path
        self.query = query
        self.form = form
        self.language = language
        self.viewer = viewer
    }

    /// Returns the first value of the query field `name`.
    package func parameter(_ name: String) -> String? { query.first { $0.name == name }?.value }

    /// Returns all values of the form field `name`, in their order.
    package func fields(_ name: String) -> [String] { form.filter { $0.name == name }.map(\.value) }
}

/// The viewer of a page.
package struct WebViewer: Hashable, Sendable {
    package var user: UserName
    package var scopes: Set<AccessScope>
    /// Whether the viewer logged in, and therefore can log out.
    package var hasSession: Bool
    /// The secret that every form contains as `WebRequest.formTokenField`, so that other sites cannot send it.
    package var formToken: String
    /// The id of the token with which the viewer logged in; `nil` without a login.
    package var tokenID: String?

    package init(
        user: UserName, scopes: Set<AccessScope>, hasSession: Bool, formToken: String, tokenID: String? = nil
    ) {
        self.user = user
        self.scopes = scopes
        self.hasSession = hasSession
        self.formToken = formToken
        self.tokenID = tokenID
    }
}

/// A field of a query or form.
package struct WebField: Hashable, Sendable {
    package var name: String
    package var value: String

    package init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }
}

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
