/// Pages for a person's browser. A server hosts them; the pages know nothing of HTTP beyond these values.
///
/// Contract:
/// - The host asks `answer` only in the name of a viewer whom it admitted, and for a `.post` only after it saw that the
///   form comes from a page of its own (`Origin` and form token).
/// - The host alone sets headers: content security policy, caching, cookies.
/// - `answer` may be asked from any number of tasks at once; a `.get` changes nothing; a failure is a page too. What it
///   answers loads nothing from elsewhere and holds neither inline script nor inline style.
package protocol WebPages: Sendable {
    /// The name under which a request is counted, such as `GET /view/sleep`, without anything that a client chose; `nil`
    /// for a path that is none of the pages'.
    func operationName(method: String, path: [String]) -> String?
    /// By which methods something is answered at the path; none where nothing is there.
    func methods(at path: [String]) -> [WebRequest.Method]
    /// Whether the path is a file of the pages (style, script, icon), which everybody may have.
    func isAsset(_ path: [String]) -> Bool
    /// The answer to an admitted request, whatever its path.
    func answer(_ request: WebRequest) async -> WebResponse
    /// The page that asks for an access token, and after a failed attempt says so.
    func loginPage(afterFailure: Bool) -> WebResponse
    /// The page that says why the host refuses a request.
    func refusalPage(status: Int, reason: String) -> WebResponse
}
