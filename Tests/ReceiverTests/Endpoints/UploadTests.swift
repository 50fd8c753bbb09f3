import HealthSyncDomain
import HealthSyncReceiver
import HealthSyncTestKit
import Testing

@Suite("Forms with a file")
struct UploadTests {
    private static let boundary = "----b0undary"
    private static let headers = [
        "Content-Type": "multipart/form-data; boundary=\(boundary)", "Origin": "http://localhost",
    ]

    /// A part of a form; `file` is the name of its file.
    private static func part(_ name: String, _ value: String, file: String? = nil) -> String {
        let file = file.map { "; filename=\"\($0)\"\r\nContent-Type: application/zip" } ?? ""
        return "--\(boundary)\r\nContent-Disposition: form-data; name=\"\(name)\"\(file)\r\n\r\n\(value)\r\n"
    }

    private static func body(_ parts: [String]) -> String { parts.joined() + "--\(boundary)--\r\n" }

    private func answer(
        _ parts: (_ token: String) -> [String], headers: [String: String] = headers, path: String = "/view/file"
    ) async throws -> (status: Int, text: String) {
        try await ServerUnderTest.runPages(access: .loopback) { server in
            let token = try await server.send("GET", "/view/token").text
            let answer = try await server.send("POST", path, Self.body(parts(token)), headers: headers)
            return (answer.status, answer.text)
        }
    }

    @Test("a file and the fields before it arrive unchanged")
    func file() async throws {
        for content in [
            "", "x", "a\r\nb", "\r\n--", "\r\n----b0undar", "--\(Self.boundary)", "\r\n--\r\n----b0undarx\r",
            String(repeating: "0123456789\r\n", count: 50_000),
        ] {
            let answer = try await answer { token in
                [
                    Self.part("form_token", token), Self.part("zone", "Europe/Paris"),
                    Self.part("file", content, file: "a \u{e9};b.zip"),
                ]
            }
            #expect(answer.status == 200)
            #expect(
                answer.text.hasSameBytes(
                    as: "POST [\"view\", \"file\"]\nuser local\nzone=Europe/Paris\nfile a \u{e9};b.zip \(content)"))
        }
    }

    @Test("a file without a valid token before it is not received")
    func token() async throws {
        let file = Self.part("file", "x", file: "a")
        for parts: (String) -> [String] in [
            { _ in [file] }, { [file, Self.part("form_token", $0)] },
            { [Self.part("form_token", String($0.reversed())), file] }, { _ in [Self.part("form_token", ""), file] },
            { [Self.part("form_token", $0, file: "token"), file] },
        ] {
            #expect(try await answer(parts).status == 403)
        }
        for wrong in [
            ["Origin": "http://evil.example"], ["Origin": "null"], ["Sec-Fetch-Site": "cross-site"],
            ["Content-Type": "text/plain"],
        ] {
            let headers = Self.headers.merging(wrong) { $1 }
            #expect(try await answer({ [Self.part("form_token", $0), file] }, headers: headers).status == 403)
        }
        // Forms without a file accept no parts.
        #expect(try await answer({ [Self.part("form_token", $0), file] }, path: "/view/a").status == 403)
    }

    @Test("a file is larger than other forms; the fields next to it are not")
    func sizes() async throws {
        let most = 64 << 10
        for (bytes, status) in [(most - 64, 200), (most - 63, 413)] {
            let answer = try await answer { token in
                [Self.part("form_token", token), Self.part("x", String(repeating: "x", count: bytes))]
            }
            #expect(answer.status == status)
        }
        let full = try await answer { token in
            [Self.part("form_token", token), Self.part("file", String(repeating: "x", count: 2 << 20), file: "a")]
        }
        #expect(full.status == 200)
        #expect(full.text.hasSuffix("failure diskFull"))
    }

    @Test("a form that is cut off, has no boundary or several files is rejected")
    func invalid() async throws {
        try await ServerUnderTest.runPages(access: .loopback) { server in
            let token = Self.part("form_token", try await server.send("GET", "/view/token").text)
            let file = Self.part("file", "x", file: "a")
            for (body, status) in [
                (token + file, 200), (Self.body([token, file, file]), 400),
                ("\(token)--\(Self.boundary)x\r\n", 400), (String(repeating: "x", count: 9_000), 400),
                (Self.body([token, "--\(Self.boundary)\r\nContent-Type: text/plain\r\n\r\nx\r\n"]), 400),
                (Self.body([token, "--\(Self.boundary)\r\n" + String(repeating: "x", count: 9_000)]), 400),
            ] {
                let answer = try await server.send("POST", "/view/file", body, headers: Self.headers)
                #expect(answer.status == status)
                if status == 200 { #expect(answer.text.hasSuffix("failure badInput")) }
            }
            let headers = ["Content-Type": "multipart/form-data", "Origin": "http://localhost"]
            #expect(try await server.send("POST", "/view/file", token, headers: headers).status == 403)
            // A form without a chosen file.
            let none = try await server.send(
                "POST", "/view/file", Self.body([token, Self.part("file", "", file: "")]), headers: Self.headers)
            #expect(none.status == 200 && !none.text.contains("file "))
        }
    }
}
