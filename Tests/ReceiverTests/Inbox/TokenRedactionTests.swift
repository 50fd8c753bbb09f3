import Foundation
import HealthSyncDomain
import HealthSyncPorts
import HealthSyncReceiver
import HealthSyncSystem
import HealthSyncTestKit
import Testing

/// Nothing that is archived reveals a secret, wherever in the head of the request it is.
@Suite struct TokenRedactionTests {
    /// The forms in which a request may contain a secret.
    private static func forms(_ secret: String) -> [String] {
        let percent = secret.utf8.map { "%" + HexDigits.text([$0]) }.joined()
        let twice = percent.replacingOccurrences(of: "%", with: "%25")
        return [
            secret, secret.uppercased(), "x\(secret)x", "prefix-\(secret)", percent, twice,
            twice.replacingOccurrences(of: "%", with: "%25"), Data(secret.utf8).base64EncodedString(),
            Data("anna:\(secret)".utf8).base64EncodedString(),
            Data("\(secret):".utf8).base64EncodedString().replacingOccurrences(of: "=", with: ""),
            Data("ü?>\(secret)".utf8).base64EncodedString().replacingOccurrences(of: "+", with: "-")
                .replacingOccurrences(of: "/", with: "_"),
        ] + ["v1/", "Token-", "x", "ab", "abc"].map { $0 + Data(secret.utf8).base64EncodedString() }
    }

    private static func encoded(_ text: String) -> String {
        text.utf8.map { byte in
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: String(UnicodeScalar(byte))
            default: "%" + HexDigits.text([byte])
            }
        }.joined()
    }

    private func check(_ inbox: InboxUnderTest, _ secret: String, headers: [String: String], body: String) async throws
    {
        for (number, form) in Self.forms(secret).enumerated() {
            let name =
                form.utf8.allSatisfy { $0 != 0x25 && $0 != 0x3D && $0 != 0x2F && $0 != 0x2B } ? form : "x-\(secret)"
            let headers = headers.merging(["X-Other": form, "X-\(name)": "1", "X-Kept": "kept"]) { first, _ in first }
            let target = "/api/\(Self.encoded(form))?\(Self.encoded(form))=1&n=\(Self.encoded(form))&kept=1"
            #expect(try await inbox.server.send("POST", target, body, headers: headers).status == 200, "\(form)")
            let post = try #require(try await inbox.posts().last)
            #expect(post.head.path == ["api", ""], "\(number) \(form)")
            #expect(post.head.query == ["kept": "1"], "\(number) \(form)")
            let names = Set(post.head.headers.map(\.name))
            #expect(names.contains("x-kept") && !names.contains("x-other"), "\(number) \(form)")
            #expect(!names.contains { $0.lowercased().contains(secret) }, "\(number) \(form)")
            #expect(post.body == Array(body.utf8), "a body is never changed")
        }
    }

    @Test func theTokenOrItsSecretAloneIsNotArchived() async throws {
        try await InboxUnderTest.run { inbox in
            let (token, other) = (try await inbox.pair("anna"), try await inbox.pair("ben"))
            let secret = String(token.suffix(64))
            let text = try #require(AccessTokenText(token))
            let signing = HexDigits.text(LibcryptoHasher().sha256(text.secret))
            for hidden in [token, secret, signing, other] {
                try await check(inbox, hidden, headers: ["X-API-Key": token], body: "body \(token)")
            }
        }
    }

    @Test func theSecretsOfADeviceThatOnlySignsAreNotArchived() async throws {
        try await InboxUnderTest.run { inbox in
            let token = try await inbox.pair("anna")
            let text = try #require(AccessTokenText(token))
            let signing = HexDigits.text(LibcryptoHasher().sha256(text.secret))
            let code = LibcryptoHasher().hmacSHA256(key: Array(signing.utf8))
            Array("body".utf8).withUnsafeBytes { code.update($0) }
            let headers = ["X-Signature": "sha256=" + HexDigits.text(code.finish())]
            for hidden in [token, String(token.suffix(64)), signing] {
                try await check(inbox, hidden, headers: headers, body: "body")
            }
            #expect(try await inbox.posts().allSatisfy { $0.head.header("x-signature") != nil })
        }
    }

    @Test func whatIsNoSecretIsArchived() async throws {
        try await InboxUnderTest.run { inbox in
            let token = try await inbox.pair("anna")
            let harmless = [
                String(repeating: "a", count: 64), String(repeating: "0", count: 5_000), "100%", "%zz", "hst_",
                String(token.prefix(20)), String(token.suffix(63)), String(repeating: "QUJD", count: 40),
            ]
            for text in harmless {
                let answer = try await inbox.server.send(
                    "POST", "/api/\(Self.encoded(text))?n=\(Self.encoded(text))", "body",
                    headers: ["X-API-Key": token, "X-Other": text])
                #expect(answer.status == 200)
                let head = try #require(try await inbox.posts().last?.head)
                #expect(head.path == ["api", text] && head.query == ["n": text] && head.header("x-other") == text)
            }
        }
    }
}
