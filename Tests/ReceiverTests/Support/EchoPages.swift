import HealthSyncPorts

/// Pages that say what they were asked, and nothing else.
struct EchoPages: WebPages {
    func operationName(method: String, path: [String]) -> String? {
        guard path.isEmpty || path[0] == "view" || path[0] == "assets" else { return nil }
        return "\(method) page"
    }

    func methods(at path: [String]) -> [WebRequest.Method] {
        path.last == "get" || isAsset(path) ? [.get] : path.last == "post" ? [.post] : [.get, .post]
    }

    func isAsset(_ path: [String]) -> Bool { path.first == "assets" }

    func answer(_ request: WebRequest) async -> WebResponse {
        guard methods(at: request.path).contains(request.method) else { return .page("not so", status: 405) }
        if request.path == ["view", "token"] { return .page(request.viewer.formToken) }
        let fields = (request.query + request.form).map { "\($0.name)=\($0.value)" }
        return .page(
            (["\(request.method.rawValue) \(request.path)", "user \(request.viewer.user)"] + fields)
                .joined(separator: "\n"))
    }

    func loginPage(afterFailure: Bool) -> WebResponse {
        .page(afterFailure ? "wrong token" : "which token?", status: afterFailure ? 403 : 200)
    }

    func refusalPage(status: Int, reason: String) -> WebResponse { .page("refused: \(reason)", status: status) }
}
