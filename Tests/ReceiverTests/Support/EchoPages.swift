import HealthSyncPorts

/// Pages that show the request.
struct EchoPages: WebPages {
    func route(at path: [String]) -> WebRoute? {
        guard path.isEmpty || path[0] == "view" || path[0] == "assets" else { return nil }
        let isAsset = path.first == "assets"
        let methods: [WebRequest.Method] =
            path.last == "get" || isAsset ? [.get] : path.last == "post" ? [.post] : [.get, .post]
        return WebRoute(template: "page", methods: methods, isAsset: isAsset)
    }

    func answer(_ request: WebRequest) async -> WebResponse {
        if request.path == ["view", "token"] { return .page(request.viewer.formToken) }
        let fields = (request.query + request.form).map { "\($0.name)=\($0.value)" }
        return .page(
            (["\(request.method.rawValue) \(request.path)", "user \(request.viewer.user)"] + fields)
                .joined(separator: "\n"))
    }

    func loginPage(afterFailure: Bool) -> WebResponse {
        .page(afterFailure ? "wrong token" : "which token?", status: afterFailure ? 403 : 200)
    }

    func errorPage(status: Int, reason: String) -> WebResponse { .page("error: \(reason)", status: status) }
}
