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

/// A request for a page.
private struct PageCall: RequestHandler {
    /// What the request is for.
    enum Kind {
        case login
        case logout
        case asset
        /// A page or form; `nil` if it does not exist.
        case page(template: String?)
    }

    let host: PageHost
    let head: RequestHead
    let target: RequestTarget
    let kind: Kind
    /// The methods that are allowed; empty for a page that does not exist.
    let methods: [WebRequest.Method]
    /// The body of a form with a file; `nil` for all others.
    var upload: UploadBody?

    private var authenticator: any PageAuthenticator { host.authenticator }
    private var isPost: Bool { head.method == "POST" }

    var operation: String {
        if case .page(template: nil) = kind { return "other" }
        guard let method = WebRequest.Method(rawValue: head.routedMethod) else { return "other" }
        if case .page(let template?) = kind { return "\(method.rawValue) \(template)" }
        return "\(method.rawValue) /\(target.path.joined(separator: "/"))"
    }

    /// A body is a form, and may arrive before the viewer is known. A file arrives afterwards, and is not in memory.
    var bodyLimit: Int? { upload == nil ? HTTPRequest.largestForm : UploadBody.largest }

    func bodySink(for caller: Caller) -> (any BodySink)? { upload }

    var checksSecret: Bool { if case .login = kind { isPost } else { false } }

    func quickAdmission() -> Admission? {
        if let reason = authenticator.hostError(in: head) { return .reject(host.errorPage(421, reason)) }
        let method = WebRequest.Method(rawValue: head.routedMethod)
        guard let method, methods.isEmpty || methods.contains(method) else {
            let allowed = methods.map { $0 == .get ? "GET, HEAD" : $0.rawValue }.joined(separator: ", ")
            return .reject(host.errorPage(405, "method not allowed", headers: [.init("Allow", allowed)]))
        }
        if method == .post {
            // Also tells a program that sends records that it has the address of pages.
            if case .page(template: nil) = kind { return .reject(host.errorPage(404, "no such page")) }
            if let reason = crossSiteError { return .reject(host.errorPage(403, reason)) }
        }
        switch kind {
        case .login, .asset: return .accept(Caller(user: .local, scopes: []))
        case .logout, .page: return nil
        }
    }

    /// Why a form is rejected that a page of another site may have sent; `nil` if it comes from a page of this host.
    private var crossSiteError: String? {
        guard let name = head.host, let origin = head.value("origin") else { return "the form has no origin" }
        guard OriginHeader.isPage(origin, of: name),
            head.value("sec-fetch-site").map({ $0.hasSameBytes(as: "same-origin") }) ?? true
        else { return "requests from other sites are not allowed" }
        return head.hasFormBody || upload != nil ? nil : "the body is not a form"
    }

    func admission() async -> Admission {
        switch await authenticator.authenticate(head) {
        case .viewer(let viewer): accepted(viewer)
        case .loginRequired where isPost: .reject(sessionEnded)
        case .loginRequired: .reject(host.response(.seeOther("/login")))
        case .rejected(let status, let reason): .reject(host.errorPage(status, reason))
        }
    }

    private func accepted(_ viewer: WebViewer) -> Admission {
        upload?.expects { [authenticator] token in authenticator.isValid(formToken: token, for: viewer) }
        return .accept(Caller(user: viewer.user, scopes: viewer.scopes))
    }

    private var sessionEnded: HTTPResponse { host.errorPage(403, "your session has ended; log in again") }

    func response(to request: HTTPRequest) async -> HTTPResponse {
        switch kind {
        case .login: return await logIn(request)
        case .asset:
            let anonymous = WebViewer(user: .local, scopes: [], hasSession: false, formToken: "")
            return host.response(await host.pages.answer(WebRequest(path: target.path, viewer: anonymous)))
        case .logout, .page: break
        }
        // Authenticated again, because the session may have ended while the body was read.
        guard case .viewer(let viewer) = await authenticator.authenticate(head) else { return sessionEnded }
        var page = WebRequest(
            method: isPost ? .post : .get, path: target.path,
            query: target.query.sorted.map { WebField($0.name, $0.value) },
            language: head.value("accept-language") ?? "", viewer: viewer)
        if page.method == .post {
            guard let form = upload.map(\.fields) ?? request.formFields() else {
                return host.errorPage(400, "the body is not a valid form")
            }
            guard
                authenticator.isValid(
                    formToken: form.first { $0.name == WebRequest.formTokenField }?.value, for: viewer)
            else { return host.errorPage(403, "the form has expired; load its page again") }
            page.form = form.filter { $0.name != WebRequest.formTokenField }
            if let upload {
                do {
                    page.file = try upload.finish()
                } catch {
                    page.fileFailure = error
                }
            }
            if case .logout = kind, viewer.hasSession { return logOut() }
        }
        return host.response(await host.pages.answer(page))
    }

    private func logIn(_ request: HTTPRequest) async -> HTTPResponse {
        guard isPost else { return host.response(host.pages.loginPage(afterFailure: false)) }
        let form = request.formFields() ?? []
        guard let token = form.first(where: { $0.name == "token" })?.value,
            let secret = await authenticator.logIn(token: token, head: head)
        else { return host.response(host.pages.loginPage(afterFailure: true)) }
        return host.response(.seeOther("/"), headers: [.init("Set-Cookie", SessionCookie.setting(secret))])
    }

    private func logOut() -> HTTPResponse {
        authenticator.logOut(head)
        return host.response(.seeOther("/login"), headers: [.init("Set-Cookie", SessionCookie.clearing)])
    }
}
