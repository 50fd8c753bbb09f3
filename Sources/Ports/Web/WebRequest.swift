package import HealthSyncDomain

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
