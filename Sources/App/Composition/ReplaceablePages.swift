import HealthSyncDomain
import HealthSyncPorts
import Synchronization

/// Pages that others may replace while they are served.
final class ReplaceablePages: WebPages {
    private let current: Mutex<any WebPages>

    init(_ pages: any WebPages) { current = Mutex(pages) }

    /// Replaces the pages for all further requests.
    func replace(with pages: any WebPages) { current.withLock { $0 = pages } }

    private var pages: any WebPages { current.withLock { $0 } }

    func route(at path: [String]) -> WebRoute? { pages.route(at: path) }
    func uploads(at path: [String]) -> (any FileUploads)? { pages.uploads(at: path) }
    func answer(_ request: WebRequest) async -> WebResponse { await pages.answer(request) }
    func loginPage(afterFailure: Bool) -> WebResponse { pages.loginPage(afterFailure: afterFailure) }
    func errorPage(status: Int, reason: String) -> WebResponse { pages.errorPage(status: status, reason: reason) }
}
