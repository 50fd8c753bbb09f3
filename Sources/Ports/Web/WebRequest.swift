/// A browser's request that its host has admitted.
package struct WebRequest: Hashable, Sendable {
    /// What is asked for.
    package enum Method: String, Sendable {
        /// To look; changes nothing.
        case get = "GET"
        /// To change something, by a form of a page.
        case post = "POST"
    }

    /// Name of the form field that holds `WebViewer.formToken`.
    package static let formTokenField = "form_token"

    package var method: Method
    /// Segments of the path, decoded; empty for the root.
    package var path: [String]
    package var query: [WebField]
    /// Fields of the form that was sent, without its token; a name may stand more than once.
    package var form: [WebField]
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

    /// The first value of the query's field `name`.
    package func parameter(_ name: String) -> String? { query.first { $0.name == name }?.value }

    /// All values of the form's field `name`, in their order.
    package func fields(_ name: String) -> [String] { form.filter { $0.name == name }.map(\.value) }
}
