import Foundation
import HealthSyncReceiver
import HealthSyncTestKit
import HealthSyncTestTools
import Testing

/// How requests are read from their bytes.
@Suite struct RequestParsingTests {
    @Test(arguments: [
        "A: b\r\n c", "A: b\r\n\tc", ": b", ":", " A: b", "A : b", "A\t: b", "Nonsense", "A: b\nB: c", "A: b\rB: c",
        "A: b\0c", "A\0: b", "A: \u{7}", "A(: b", "\u{E4}: b",
    ])
    func anAmbiguousHeaderLineIsRejected(line: String) async throws {
        try await ServerUnderTest.run { server in
            for text in ["\(line)\r\nHost: localhost\r\n", "Host: localhost\r\n\(line)\r\n"] {
                let smuggled = "GET /summary HTTP/1.1\r\nHost: localhost\r\n\r\n"
                let received = try await server.exchange {
                    try $0.send("GET /health HTTP/1.1\r\n\(text)\r\n\(smuggled)")
                }
                let answers = String(decoding: received, as: UTF8.self).components(separatedBy: "HTTP/1.1 ").dropFirst()
                #expect(answers.map { $0.prefix(3) } == ["400"])
                #expect(answers.first?.contains("Connection: close") == true)
            }
        }
    }

    /// RFC 9112, section 3.2: a value that is not a host, possibly with a port, is answered 400.
    @Test func aHostIsANameOrAnAddressWithOrWithoutAPort() async throws {
        let wrong = [
            "localhost, x", "localhost,x", "a b", "user@localhost", "localhost/x", "localhost?x", "localhost#x", "[::1",
            "::1]", "[]", "[::1]x", "[::1]:x", "[::1%]", "[%eth0]", "localhost:x", "localhost:80:81", ":80",
            "localhos\u{212A}",
            "\u{FEFF}localhost", "localhost\\x", "\"localhost\"", "a%20b", "http://localhost",
        ]
        let right = [
            "localhost", "LOCALHOST:80", "localhost:", "127.0.0.1", "127.0.0.1:8000", "[::1]", "[::1]:80",
            "[fe80::1%eth0]",
            "[fe80::1%25en0]:80", "host.example.", "my_host", "xn--bcher-kva.example", "[::ffff:192.0.2.1]",
        ]
        try await ServerUnderTest.run(allowsOpenAccess: false) { server in
            for host in wrong + right {
                for version in ["HTTP/1.1", "HTTP/1.0"] {
                    let received = try await server.exchange {
                        try $0.send("GET /health \(version)\r\nHost: \(host)\r\nConnection: close\r\n\r\n")
                    }
                    let expected = right.contains(host) ? "HTTP/1.1 200" : "HTTP/1.1 400"
                    #expect(String(decoding: received, as: UTF8.self).hasPrefix(expected), "\(version), \(host)")
                }
            }
        }
    }

    @Test func everyDivisionOfTheBytesIsReadInTheSameWay() async throws {
        let body = #"{"samples":[]}"#
        let chunks = "5\r\n\(body.prefix(5))\r\n9;a=b\r\n\(body.dropFirst(5))\r\n0\r\nTrailer: a\r\n\r\n"
        let requests = [
            "POST /steps HTTP/1.1\r\nHost: localhost\r\nContent-Length: 14\r\n\r\n\(body)",
            "POST /steps HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n\(chunks)",
            "\r\nGET /health HTTP/1.1\r\nHost: localhost\r\n\r\n",
        ]
        let last = "GET /health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
        let bytes = Array((requests.joined() + last).utf8)
        try await ServerUnderTest.run { server in
            for size in [1, 2, 3, 7, 50, bytes.count] {
                let received = try await server.exchange { socket in
                    for start in stride(from: 0, to: bytes.count, by: size) {
                        try socket.send(Array(bytes[start..<min(start + size, bytes.count)]))
                    }
                }
                let text = String(decoding: received, as: UTF8.self)
                #expect(text.components(separatedBy: "HTTP/1.1 200 ").count == 5, "pieces of \(size) bytes: \(text)")
            }
        }
    }

    @Test func theHeadIsLimitedWhereverItIsCut() async throws {
        try await ServerUnderTest.run { server in
            for filler in ["A: " + String(repeating: "b", count: 40_000), String(repeating: "A: b\r\n", count: 200)] {
                let received = try await server.exchange {
                    try $0.send("GET /health HTTP/1.1\r\nHost: localhost\r\n\(filler)\r\n\r\n")
                }
                #expect(try Answer(received).status == 431)
            }
        }
    }

    @Test func aResponseToHeadHasNoBody() async throws {
        try await ServerUnderTest.run { server in
            let received = try await server.exchange {
                try $0.send(
                    "HEAD /health HTTP/1.1\r\nHost: localhost\r\n\r\nHEAD /steps HTTP/1.1\r\nHost: localhost\r\n"
                        + "Connection: close\r\n\r\n")
            }
            let answers = String(decoding: received, as: UTF8.self).components(separatedBy: "\r\n\r\n")
            #expect(answers.count == 3)
            #expect(answers[0].contains("Content-Length: 15"))
            #expect(answers[2] == "")
        }
    }
}
