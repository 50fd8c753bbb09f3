import Foundation
import HealthSyncDomain
import HealthSyncPorts
import HealthSyncReceiver
import HealthSyncTestKit
import HealthSyncTestTools
import Testing

@Suite struct InboxAPITests {
    /// The ways to send a token: path and headers.
    private static func forms(_ token: String) -> [(path: String, headers: [String: String])] {
        [
            ("/api/data", ["Authorization": "Bearer \(token)"]), ("/api/data", ["Authorization": "bearer  \(token)"]),
            ("/api/data", ["Authorization": token]), ("/api/data", ["X-API-Key": token]),
            ("/api/data", ["api-key": token]), ("/api/data", ["X-Open-Wearables-API-Key": token]),
            ("/device/\(token)/api/data", [:]), ("/device/\(token)/api/data/", [:]),
            ("/device/\(token)/api/data", ["Authorization": "other"]),
        ]
    }

    @Test func everyFormOfATokenIsAcceptedAndNotArchived() async throws {
        try await InboxUnderTest.run { inbox in
            let token = try await inbox.pair("anna")
            let forms = Self.forms(token)
            for form in forms {
                var headers = form.headers
                headers["Session-Id"] = "7"
                headers["Referer"] = "http://home/device/\(token)/x"
                headers["Cookie"] = "a=b"
                let answer = try await inbox.server.send(
                    "POST", form.path + "?a=b&t=\(token)", "body", headers: headers)
                #expect(answer.status == 200, "\(form)")
                #expect(answer.text == #"{"status":"ok"}"#)
                #expect(answer.headers["content-type"] == "application/json")
            }
            let posts = try await inbox.posts()
            #expect(posts.count == forms.count)
            for post in posts {
                #expect(post.body == Array("body".utf8))
                #expect(post.head.path == ["api", "data"])
                #expect(post.head.query == ["a": "b"])
                #expect(post.head.device == "anna")
                #expect(post.head.header("session-id") == "7")
                #expect(post.head.header("content-length") == "4")
                #expect(!"\(post.head)".contains(String(token.suffix(60))))
                #expect(!post.head.headers.contains { ["cookie", "authorization"].contains($0.name) })
            }
            #expect(
                inbox.reports.received
                    == posts.map { InboxUnderTest.Received(id: $0.id, device: "anna", bytes: 4) })
            #expect(inbox.reports.requests.count == forms.count)
            #expect(!"\(inbox.reports.requests)\(inbox.log.events)".contains("hst_"))
        }
    }

    @Test func theAccessLogDoesNotContainTokens() async throws {
        let folder = try TemporaryFolder()
        try await InboxUnderTest.run { inbox in
            let token = try await inbox.pair("anna")
            for path in ["/device/\(token)/x", "/device/hst_wrong/x"] {
                _ = try await inbox.server.send("POST", path, "body")
                _ = try await inbox.server.send("GET", path)
            }
            let log = try AccessLog(path: folder.path(of: "access"))
            for request in inbox.reports.requests { log.observe(request) }
        }
        // The log is written entirely when it is deallocated.
        let text = String(decoding: try folder.contents(of: "access"), as: UTF8.self)
        #expect(text.split(separator: "\n").count == 4)
        #expect(!text.contains("hst_"))
        #expect(!text.contains("device"))
    }

    @Test func withoutAValidTokenNothingIsArchived() async throws {
        try await InboxUnderTest.run { inbox in
            let revoked = try await inbox.pair("anna")
            let id = String(revoked.dropFirst(4).prefix(16))
            #expect(try await inbox.server.tokens.revoke(id: id, at: inbox.time.now()))
            let reader = try await inbox.server.token("anna", [.read])
            let expired = try await inbox.server.token("anna", [.ingest], expiresAt: Instant(seconds: 1))
            let wrong = String(try await inbox.pair("ben").dropLast()) + "x"
            for token in [revoked, reader, expired, wrong, "x"] {
                for form in Self.forms(token).dropLast() {
                    let answer = try await inbox.server.send("POST", form.path, "body", headers: form.headers)
                    #expect(answer.status == 401, "\(form)")
                    #expect(answer.headers["www-authenticate"] == "Bearer realm=\"healthsync\"")
                }
            }
            for path in ["/", "/api/data", "/device", "/device/"] {
                #expect(try await inbox.server.send("POST", path, "body").status == 401)
            }
            #expect(try await inbox.posts().isEmpty)
            #expect(inbox.reports.received.isEmpty)
        }
    }

    @Test func failedLoginsAreDelayed() async throws {
        try await InboxUnderTest.run { inbox in
            var delays: [Int64] = []
            for _ in 0..<3 {
                let before = inbox.time.now()
                _ = try await inbox.server.send("POST", "/", "body", headers: ["X-API-Key": "wrong"])
                delays.append(inbox.time.now().milliseconds - before.milliseconds)
            }
            #expect(delays == [250, 500, 1_000])
        }
    }

    @Test func healthNeedsNoToken() async throws {
        try await InboxUnderTest.run { inbox in
            let answer = try await inbox.server.send("GET", "/healthz")
            #expect(answer.status == 200)
            #expect(answer.text == #"{"status":"ok"}"#)
            #expect(try await inbox.server.send("POST", "/healthz", "body").status == 401)
        }
    }

    @Test func handshakesAreAnsweredAndNotArchived() async throws {
        try await InboxUnderTest.run { inbox in
            let token = try await inbox.pair("anna")
            let key = ["X-API-Key": token]
            func text(
                _ method: String, _ path: String, _ body: String?, _ headers: [String: String]
            ) async throws -> String {
                let answer = try await inbox.server.send(method, path, body, headers: headers)
                return "\(answer.status) \(answer.status == 200 ? answer.text : "")"
            }
            #expect(try await text("GET", "/stub/open", nil, [:]) == #"200 {"open":true}"#)
            #expect(try await text("POST", "/stub/open", "x", [:]) == #"200 {"open":true}"#)
            #expect(try await text("GET", "/stub/paired", nil, [:]) == "401 ")
            #expect(try await text("GET", "/stub/paired", nil, key) == #"200 {"paired":"anna"}"#)
            #expect(try await text("POST", "/stub/paired", "x", key) == #"200 {"paired":"anna"}"#)
            let login = "200 {\"token\":\"\(token)\",\"device\":\"anna\"}"
            #expect(try await text("POST", "/stub/login", token, [:]) == login)
            #expect(try await text("POST", "/stub/login", "hst_wrong", [:]) == "401 ")
            let pairing = #"200 {"token":"hst_new","computer":"home at 127.0.0.1"}"#
            #expect(try await text("POST", "/stub/pair", "phone", [:]) == pairing)
            #expect(try await text("POST", "/stub/pair", "other", [:]) == "403 ")
            #expect(try await text("GET", "/anything", nil, key) == #"200 {"status":"ok"}"#)
            #expect(try await text("GET", "/anything", nil, [:]) == "401 ")
            #expect(try await inbox.posts().isEmpty)
            #expect(try await inbox.server.send("POST", "/stub/data", "x", headers: key).status == 202)
            #expect(try await inbox.posts().map(\.body) == [Array("x".utf8)])
        }
    }

    @Test func aDeviceThatAsksForATokenIsNotDelayedUntilItIsConfirmedButBehindAProxyItIsRejected() async throws {
        try await InboxUnderTest.run { inbox in
            func answer(_ name: String, _ headers: [String: String] = [:]) async throws -> (Int, String, delay: Int64) {
                let before = inbox.time.now()
                let answer = try await inbox.server.send("POST", "/stub/pair", name, headers: headers)
                return (answer.status, answer.text, inbox.time.now().milliseconds - before.milliseconds)
            }
            #expect(try await answer("new") == (403, #"{"reason":"confirm 482917"}"#, 0))
            #expect(try await answer("new") == (403, #"{"reason":"confirm 482917"}"#, 0))
            #expect(try await answer("other") == (403, #"{"reason":"nobody"}"#, 250))
            var delay: Int64 = 500
            for name in ["X-Forwarded-For", "Forwarded", "Via"] {
                let (status, text, waited) = try await answer("phone", [name: "192.168.1.20"])
                #expect(status == 403 && text.contains("type the token") && waited == delay, "\(name)")
                delay *= 2
            }
            #expect(try await inbox.server.send("POST", "/stub/pair", "phone").status == 200)
        }
    }

    @Test func aSignatureIdentifiesItsDevice() async throws {
        let folder = try TemporaryFolder()
        let body = (0..<90_000).map { "value \($0)" }.joined(separator: ",")
        try folder.write(body, as: "body")
        try await InboxUnderTest.run { inbox in
            _ = try await inbox.pair("anna")
            let token = try await inbox.pair("ben")
            // The secret is the SHA-256 of the 32 bytes in the token.
            let key = try Command([
                "python3", "-c",
                "import hashlib, sys; print(hashlib.sha256(bytes.fromhex(sys.argv[1])).hexdigest(), end='')",
                String(token.suffix(64)),
            ]).output()
            let code = try Command([
                "openssl", "dgst", "-sha256", "-r", "-hmac", String(decoding: key, as: UTF8.self),
                folder.path(of: "body"),
            ]).output()
            let signature = String(decoding: code.prefix(64), as: UTF8.self)
            for (value, status) in [
                ("sha256=\(signature)", 200), (signature, 200), ("sha256=" + signature.uppercased(), 200),
                ("sha256=" + String(signature.dropLast()) + (signature.hasSuffix("0") ? "1" : "0"), 401),
                ("sha256=", 401), ("", 401), (String(repeating: "x", count: 64), 401),
            ] {
                let answer = try await inbox.server.send("POST", "/hook", body, headers: ["X-Signature": value])
                #expect(answer.status == status, "\(value)")
            }
            #expect(
                try await inbox.server.send(
                    "POST", "/hook", body + " ", headers: ["X-Signature": "sha256=\(signature)"]
                ).status == 401)
            // A valid token does not make up for a wrong signature.
            let wrong = "sha256=" + String(repeating: "0", count: 64)
            for (value, status) in [("sha256=\(signature)", 200), (wrong, 401), ("", 401)] {
                let answer = try await inbox.server.send(
                    "POST", "/hook", body, headers: ["Authorization": "Bearer \(token)", "X-Signature": value])
                #expect(answer.status == status, "with a token: \(value)")
            }
            let posts = try await inbox.posts()
            #expect(posts.map(\.head.device) == ["ben", "ben", "ben", "ben"])
            #expect(posts.allSatisfy { $0.body == Array(body.utf8) && $0.head.header("x-signature") != nil })
            #expect(inbox.reports.received.map(\.device) == ["ben", "ben", "ben", "ben"])
        }
    }
}
