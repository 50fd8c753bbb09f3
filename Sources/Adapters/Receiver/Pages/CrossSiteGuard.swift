/// Refuses what a page of another site makes a browser send.
enum CrossSiteGuard {
    /// Why a POST is refused; `nil` where it comes from a page of the same host.
    static func objection(to head: RequestHead) -> String? {
        let foreign = "requests from other sites are refused"
        guard let host = head.value("host")?.lowercased(), let origin = head.value("origin")?.lowercased() else {
            return "a form must say where it comes from"
        }
        guard origin == "https://\(host)" || origin == "http://\(host)" else { return foreign }
        if let site = head.value("sec-fetch-site"), site != "same-origin" { return foreign }
        let type = head.value("content-type")?.split(separator: ";").first?.lowercased() ?? ""
        guard type == "application/x-www-form-urlencoded" else { return "this is no form" }
        return nil
    }
}
