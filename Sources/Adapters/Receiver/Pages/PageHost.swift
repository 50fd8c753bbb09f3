import HealthSyncDomain
package import HealthSyncPorts

/// Hosts pages, beside an API or alone: looks who comes and whether a form comes from a page of its own, and gives every
/// answer the headers that keep a browser from doing anything else with it.
package struct PageHost: HTTPResponder {
    private let pages: any WebPages
    private let door: any PageDoor
    private let api: (any HTTPResponder)?

    /// Hosts `pages` for those whom `door` lets in; `api` answers every path that is none of the pages', where there is
    /// one.
    package init(pages: any WebPages, door: any PageDoor, beside api: (any HTTPResponder)? = nil) {
        self.pages = pages
        self.door = door
        self.api = api
    }

    package func operationName(of head: RequestHead) -> String {
        if let target = RequestTarget(head.target), let name = name(of: head, target) { return name }
        return api?.operationName(of: head) ?? "other"
    }

    package func quickAdmission(of head: RequestHead) -> Admission? {
        if let api = apiAsked(by: head) { return api.quickAdmission(of: head) }
        guard let target = RequestTarget(head.target) else { return .refuse(noPath) }
        if let response = objection(to: head, target) { return .refuse(response) }
        return isOpenToAll(target) ? .accept(Caller(user: .local, scopes: [])) : nil
    }

    package func admission(of head: RequestHead) async -> Admission {
        if let api = apiAsked(by: head) { return await api.admission(of: head) }
        guard RequestTarget(head.target) != nil else { return .refuse(noPath) }
        switch await door.entry(of: head) {
        case .open(let viewer): return .accept(Caller(user: viewer.user, scopes: viewer.scopes))
        case .logIn where head.method == "POST": return .refuse(refusal(403, "you are not logged in any more"))
        case .logIn: return .refuse(response(.seeOther("/login")))
        case .refused(let status, let reason): return .refuse(refusal(status, reason))
        }
    }

    package func answer(to request: HTTPRequest) async -> HTTPResponse {
        let head = request.head
        if let api = apiAsked(by: head) { return await api.answer(to: request) }
        guard let target = RequestTarget(head.target) else { return noPath }
        if target.segments == ["login"], door.hasLogin { return await logIn(request) }
        if pages.isAsset(target.segments) {
            let nobody = WebViewer(user: .local, scopes: [], hasSession: false, formToken: "")
            return response(await pages.answer(WebRequest(path: target.segments, viewer: nobody)))
        }
        // Asked again: between the head and the end of the body somebody may have logged out.
        guard case .open(let viewer) = await door.entry(of: head) else {
            return refusal(403, "you are not logged in any more")
        }
        var page = WebRequest(
            method: head.method == "POST" ? .post : .get, path: target.segments,
            query: target.query.sorted { $0.key < $1.key }.map { WebField($0.key, $0.value) },
            language: head.value("accept-language") ?? "", viewer: viewer)
        if page.method == .post {
            guard let form = FormBody.fields(request.body) else { return refusal(400, "this is no form") }
            guard door.accepts(formToken: form.first { $0.name == WebRequest.formTokenField }?.value, of: viewer) else {
                return refusal(403, "this form is too old or does not come from a page of this server")
            }
            page.form = form.filter { $0.name != WebRequest.formTokenField }
            if target.segments == ["logout"], viewer.hasSession { return logOut(head) }
        }
        let answer = await pages.answer(page)
        return response(answer, further: answer.status == 405 ? [allow(target)] : [])
    }

    private func logIn(_ request: HTTPRequest) async -> HTTPResponse {
        guard request.head.method == "POST" else { return response(pages.loginPage(afterFailure: false)) }
        let form = FormBody.fields(request.body) ?? []
        guard let token = form.first(where: { $0.name == "token" })?.value,
            let cookie = await door.logIn(token: token, head: request.head)
        else { return response(pages.loginPage(afterFailure: true)) }
        return response(.seeOther("/"), cookie: SessionCookie.setting(cookie))
    }

    private func logOut(_ head: RequestHead) -> HTTPResponse {
        door.logOut(head)
        return response(.seeOther("/login"), cookie: SessionCookie.clearing)
    }

    private var noPath: HTTPResponse { refusal(400, "the address is not a path") }

    /// The API, where the request is for it: the address is none of a page.
    private func apiAsked(by head: RequestHead) -> (any HTTPResponder)? {
        guard let target = RequestTarget(head.target), name(of: head, target) != nil else { return api }
        return nil
    }

    private func name(of head: RequestHead, _ target: RequestTarget) -> String? {
        let method = head.method == "HEAD" ? "GET" : head.method
        if door.hasLogin, target.segments == ["login"] || target.segments == ["logout"] {
            return "\(["GET", "POST"].contains(method) ? method : "other") /\(target.segments[0])"
        }
        return pages.operationName(method: method, path: target.segments)
    }

    private func isOpenToAll(_ target: RequestTarget) -> Bool {
        (target.segments == ["login"] && door.hasLogin) || pages.isAsset(target.segments)
    }

    private func objection(to head: RequestHead, _ target: RequestTarget) -> HTTPResponse? {
        if let reason = door.objection(toHostOf: head) { return refusal(421, reason) }
        let mayBePosted = !pages.isAsset(target.segments)
        let isLogout = door.hasLogin && target.segments == ["logout"]
        guard (isLogout ? [] : ["GET", "HEAD"]).contains(head.method) || (head.method == "POST" && mayBePosted) else {
            return response(
                pages.refusalPage(status: 405, reason: "not with this method"), further: [allow(target)])
        }
        guard head.method == "POST" else { return nil }
        if let reason = CrossSiteGuard.objection(to: head) { return refusal(403, reason) }
        if let length = head.contentLength, length > FormBody.largest { return refusal(413, "this form is too long") }
        return nil
    }

    /// By which methods something is answered there.
    private func allow(_ target: RequestTarget) -> RequestHead.Header {
        let methods: [WebRequest.Method] =
            switch target.segments {
            case ["login"] where door.hasLogin: [.get, .post]
            case ["logout"] where door.hasLogin: [.post]
            default: pages.methods(at: target.segments)
            }
        return .init("Allow", methods.map { $0 == .get ? "GET, HEAD" : $0.rawValue }.joined(separator: ", "))
    }

    private func refusal(_ status: Int, _ reason: String) -> HTTPResponse {
        response(pages.refusalPage(status: status, reason: reason))
    }

    private func response(
        _ page: WebResponse, cookie: String? = nil, further: [RequestHead.Header] = []
    ) -> HTTPResponse {
        var headers = PageHeaders.all + further
        if let cookie { headers.append(.init("Set-Cookie", cookie)) }
        switch page.content {
        case .text(let text, let type):
            headers.append(.init("Content-Type", type))
            return HTTPResponse(status: page.status, headers: headers, body: .bytes(Array(text.utf8)))
        case .redirect(let path):
            headers.append(.init("Location", path))
            return HTTPResponse(status: page.status, headers: headers, body: .bytes([]))
        }
    }
}
