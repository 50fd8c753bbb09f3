import HealthSyncDomain
package import HealthSyncPorts

/// Serves pages, alone or together with an API. It authenticates viewers, rejects forms from other sites, and adds the
/// headers that restrict what a browser does with a page.
package struct PageHost: RequestRouter {
    let pages: any WebPages
    let authenticator: any PageAuthenticator
    private let api: (any RequestRouter)?

    /// Serves `pages` to the viewers whom `authenticator` accepts. If `api` is given, it handles every path that does
    /// not belong to the pages.
    package init(pages: any WebPages, authenticator: any PageAuthenticator, api: (any RequestRouter)? = nil) {
        self.pages = pages
        self.authenticator = authenticator
        self.api = api
    }

    package func handler(for head: RequestHead) -> any RequestHandler {
        guard let target = head.target else {
            return api?.handler(for: head)
                ?? RejectedRequest(response: errorPage(400, "the address is not a valid path"))
        }
        switch target.path {
        case ["login"] where authenticator.supportsLogin:
            return PageCall(host: self, head: head, target: target, kind: .login, methods: [.get, .post])
        case ["logout"] where authenticator.supportsLogin:
            return PageCall(host: self, head: head, target: target, kind: .logout, methods: [.post])
        default:
            let route = pages.route(at: target.path)
            if route == nil, let api { return api.handler(for: head) }
            return PageCall(
                host: self, head: head, target: target,
                kind: route?.isAsset == true ? .asset : .page(template: route?.template), methods: route?.methods ?? [],
                upload: upload(head, at: target.path))
        }
    }

    /// Returns the body of a form with a file; `nil` unless the page at `path` has such a form.
    private func upload(_ head: RequestHead, at path: [String]) -> UploadBody? {
        guard head.method == "POST", let uploads = pages.uploads(at: path), let reader = head.multipartReader else {
            return nil
        }
        return UploadBody(reader: reader, uploads: uploads) { errorPage($0, $1) }
    }

    func errorPage(_ status: Int, _ reason: String, headers: [RequestHead.Header] = []) -> HTTPResponse {
        response(pages.errorPage(status: status, reason: reason), headers: headers)
    }

    func response(_ page: WebResponse, headers: [RequestHead.Header] = []) -> HTTPResponse {
        var headers = Self.headers + headers
        switch page.content {
        case .text(let text, let type):
            headers.append(.init("Content-Type", type))
            return HTTPResponse(status: page.status, headers: headers, body: .bytes(Array(text.utf8)))
        case .redirect(let path):
            headers.append(.init("Location", path))
            return HTTPResponse(status: page.status, headers: headers, body: .bytes([]))
        }
    }

    /// The headers of every page. They restrict what a browser does with it.
    private static let headers: [RequestHead.Header] = [
        .init(
            "Content-Security-Policy",
            "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; connect-src 'self'; "
                + "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"),
        .init("Cache-Control", "no-store"),
        .init("X-Content-Type-Options", "nosniff"),
        // With no-referrer, browsers would send `Origin: null` with forms of the same site.
        .init("Referrer-Policy", "same-origin"),
        .init("Cross-Origin-Opener-Policy", "same-origin"),
        .init("Cross-Origin-Resource-Policy", "same-origin"),
        .init("X-Frame-Options", "DENY"),
    ]
}
