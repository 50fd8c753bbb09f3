import HealthSyncDomain
import HealthSyncReceiver
import HealthSyncTestKit
import Testing

@Suite("Access to pages")
struct PageHostTests {
    private static let form = ["Content-Type": "application/x-www-form-urlencoded", "Origin": "http://localhost"]

    @Test("a browser on this machine sees pages, with headers that restrict what it does with them")
    func local() async throws {
        try await ServerUnderTest.runPages(access: .loopback) { server in
            let answer = try await server.send("GET", "/view/a%2Fb?x=1&y=%3Cb%3E")
            #expect(answer.status == 200)
            #expect(answer.text == "GET [\"view\", \"a/b\"]\nuser local\nx=1\ny=<b>")
            #expect(answer.headers["content-security-policy"]?.hasPrefix("default-src 'none'") == true)
            #expect(answer.headers["content-security-policy"]?.contains("unsafe") == false)
            #expect(answer.headers["cache-control"] == "no-store")
            #expect(answer.headers["x-content-type-options"] == "nosniff")
            #expect(answer.headers["referrer-policy"] == "same-origin")
            #expect(try await server.send("HEAD", "/view/a").body == [])
            #expect(try await server.send("GET", "/health").status == 200)
        }
    }

    @Test(
        "a foreign Host is rejected",
        arguments: ["evil.example", "localhost.evil.example", "127.0.0.1.nip.io", "[::2]"])
    func foreignHost(host: String) async throws {
        for access in [ServerUnderTest.PageAccess.loopback, .tokens] {
            try await ServerUnderTest.runPages(access: access) { server in
                for path in ["/", "/view/steps", "/login", "/assets/base.css"] {
                    if access == .loopback, path == "/login" { continue }
                    let answer = try await server.send("GET", path, headers: ["Host": host])
                    #expect(answer.status == 421, "\(path)")
                }
            }
        }
    }

    @Test("a form is accepted only from a page of this host, with its token, by POST")
    func crossSite() async throws {
        try await ServerUnderTest.runPages(access: .loopback) { server in
            let token = try await server.send("GET", "/view/token").text
            #expect(token.utf8.count == 64)
            let body = "form_token=\(token)&hour=8&hour=9+10"
            let good = try await server.send("POST", "/view/a", body, headers: Self.form)
            #expect(good.text == "POST [\"view\", \"a\"]\nuser local\nhour=8\nhour=9 10")
            let bad: [(String, [String: String])] = [
                ("hour=8", Self.form), ("form_token=\(String(token.reversed()))", Self.form),
                (body, ["Content-Type": "application/x-www-form-urlencoded"]),
                (body, Self.form.merging(["Origin": "http://evil.example"]) { $1 }),
                (body, Self.form.merging(["Origin": "null"]) { $1 }),
                (body, Self.form.merging(["Origin": "http://localhost:81"]) { $1 }),
                (body, Self.form.merging(["Sec-Fetch-Site": "cross-site"]) { $1 }),
                (body, Self.form.merging(["Sec-Fetch-Site": "same-site"]) { $1 }),
                (body, Self.form.merging(["Content-Type": "text/plain"]) { $1 }),
            ]
            for (body, headers) in bad {
                #expect(try await server.send("POST", "/view/a", body, headers: headers).status == 403, "\(headers)")
            }
            for (method, path, allowed) in [
                ("PUT", "/view/get", "GET, HEAD"), ("POST", "/view/get", "GET, HEAD"), ("GET", "/view/post", "POST"),
                ("HEAD", "/view/post", "POST"), ("DELETE", "/view/post", "POST"), ("PUT", "/view/a", "GET, HEAD, POST"),
                ("POST", "/assets/a", "GET, HEAD"), ("PUT", "/assets/a", "GET, HEAD"),
            ] {
                let sent = method == "GET" || method == "HEAD" ? nil : body
                let answer = try await server.send(method, path, sent, headers: sent == nil ? [:] : Self.form)
                #expect(answer.status == 405 && answer.headers["allow"] == allowed, "\(method) \(path)")
            }
            for method in ["PUT", "DELETE", "PATCH", "OPTIONS"] {
                #expect(try await server.send(method, "/view/a", body, headers: Self.form).status == 405)
            }
            let long = body + "&x=" + String(repeating: "x", count: 70_000)
            #expect(try await server.send("POST", "/view/a", long, headers: Self.form).status == 413)
            #expect(try await server.send("POST", "/view/a", "form_token=%zz", headers: Self.form).status == 400)
        }
    }

    @Test("with tokens a viewer logs in, sees only own data, and logs out")
    func login() async throws {
        try await ServerUnderTest.runPages(access: .tokens) { server in
            let anna = try await server.token("anna", [.read])
            let writer = try await server.token("ben", [.ingest])
            let first = try await server.send("GET", "/view/a")
            #expect(first.status == 303 && first.headers["location"] == "/login")
            #expect(try await server.send("GET", "/login").text == "which token?")
            #expect(try await server.send("GET", "/assets/base.css").status == 200)
            for wrong in ["", writer, anna.dropLast() + (anna.hasSuffix("0") ? "1" : "0"), "x"] {
                #expect(try await server.send("POST", "/login", "token=\(wrong)", headers: Self.form).status == 403)
            }
            #expect(try await server.send("POST", "/login", "token=\(anna)").status == 403)
            let answer = try await server.send("POST", "/login", "token=+\(anna)%0A", headers: Self.form)
            #expect(answer.status == 303 && answer.headers["location"] == "/")
            let given = try #require(answer.headers["set-cookie"])
            #expect(given.hasPrefix("__Host-healthsync="))
            #expect(given.hasSuffix("; Path=/; Secure; HttpOnly; SameSite=Strict"))
            let cookie = ["Cookie": "a=b; " + String(given.prefix { $0 != ";" })]
            #expect(try await server.send("GET", "/view/a", headers: cookie).text.contains("user anna"))
            let formToken = try await server.send("GET", "/view/token", headers: cookie).text
            let all = Self.form.merging(cookie) { $1 }
            #expect(try await server.send("POST", "/view/a", "form_token=\(formToken)", headers: all).status == 200)
            #expect(try await server.send("POST", "/view/a", "form_token=0", headers: all).status == 403)
            #expect(
                try await server.send("POST", "/view/a", "form_token=\(formToken)", headers: Self.form).status == 403)
            // The API authenticates by its store, as without pages.
            let bearer = try await server.token("anna", [.read])
            let steps = try await server.send("GET", "/steps", headers: ["Authorization": "Bearer \(bearer)"])
            #expect(steps.status == 200 && steps.text.contains("\"total\":0"))
            // The cookie gives access to pages, not to the API.
            #expect(try await server.send("GET", "/steps", headers: cookie).status == 401)
            let out = try await server.send("POST", "/logout", "form_token=\(formToken)", headers: all)
            #expect(out.status == 303 && out.headers["set-cookie"]?.contains("Max-Age=0") == true)
            #expect(try await server.send("GET", "/view/a", headers: cookie).status == 303)
        }
    }

    @Test("a session ends when its token is revoked")
    func revoked() async throws {
        try await ServerUnderTest.runPages(access: .tokens) { server in
            let anna = try await server.token("anna", [.read])
            let answer = try await server.send("POST", "/login", "token=\(anna)", headers: Self.form)
            let cookie = ["Cookie": String(try #require(answer.headers["set-cookie"]).prefix { $0 != ";" })]
            #expect(try await server.send("GET", "/", headers: cookie).status == 200)
            let id = try #require(AccessTokenText(anna)).id
            #expect(try await server.tokens.revoke(id: id, at: Instant(seconds: 1)))
            #expect(try await server.send("GET", "/", headers: cookie).status == 303)
        }
    }

    @Test("a server on loopback without tokens requires no login")
    func open() async throws {
        try await ServerUnderTest.runPages(access: .tokens) { server in
            #expect(try await server.send("GET", "/view/a").text.contains("user local"))
            let token = try await server.send("GET", "/view/token").text
            #expect(try await server.send("POST", "/view/a", "form_token=\(token)", headers: Self.form).status == 200)
        }
    }
}
