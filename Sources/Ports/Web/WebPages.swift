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
