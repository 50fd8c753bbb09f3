import HealthSyncDomain
import HealthSyncPorts
import HealthSyncReceiver
import HealthSyncSystem
import HealthSyncTestKit
import HealthSyncTestTools
import Synchronization
import Testing

/// What is kept of requests whose client is not known yet.
@Suite struct SignedBodyTests {
    /// An archive that counts the posts that were begun.
    private final class CountingArchive: InboxArchive {
        private let archive = InMemoryInboxArchive()
        private let count = Mutex(0)
        var begun: Int { count.withLock { $0 } }

        func begin(_ head: InboxHead) throws -> any InboxPostWriter {
            count.withLock { $0 += 1 }
            return try archive.begin(head)
        }
        func waiting(limit: Int) async throws -> [String] { try await archive.waiting(limit: limit) }
        func post(_ id: String) async throws -> InboxPost { try await archive.post(id) }
        func body(_ id: String, limit: Int) async throws -> [UInt8] { try await archive.body(id, limit: limit) }
        func settle(_ id: String, as outcome: InboxOutcome) async throws { try await archive.settle(id, as: outcome) }
        func retry(_ id: String) async throws { try await archive.retry(id) }
        func entries(limit: Int) async throws -> [InboxEntry] { try await archive.entries(limit: limit) }
        func entry(_ id: String) async throws -> InboxEntry { try await archive.entry(id) }
        func counts() async throws -> [InboxEntry.State: Int] { try await archive.counts() }
        func prune(before instant: Instant, bytes: Int64) async throws -> Int {
            try await archive.prune(before: instant, bytes: bytes)
        }
    }

    private static let megabyte = 1 << 20
    private static let wrong = "sha256=" + String(repeating: "0", count: 64)

    private static func signature(_ token: String, _ body: [UInt8]) throws -> String {
        let text = try #require(AccessTokenText(token))
        let secret = HexDigits.text(LibcryptoHasher().sha256(text.secret))
        let code = LibcryptoHasher().hmacSHA256(key: Array(secret.utf8))
        body.withUnsafeBytes { code.update($0) }
        return "sha256=" + HexDigits.text(code.finish())
    }

    /// Sends the head and a part of the body of a signed post, and waits until the server has received it.
    private static func open(_ inbox: InboxUnderTest, sending bytes: Int, of length: Int) async throws -> RawSocket {
        let socket = try RawSocket(port: inbox.server.port)
        try socket.send(
            "POST /hook HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\nX-Signature: \(wrong)\r\n"
                + "Content-Length: \(length)\r\n\r\n")
        #expect(try await socket.answer(upTo: "\r\n\r\n").contains("100 Continue"))
        try socket.send([UInt8](repeating: 0x20, count: bytes))
        return socket
    }

    @Test func nothingReachesTheArchiveBeforeTheSignatureWasChecked() async throws {
        let archive = CountingArchive()
        try await InboxUnderTest.run(archive: archive) { inbox in
            let token = try await inbox.pair("anna")
            let body = [UInt8](repeating: 0x7B, count: Self.megabyte)
            for value in [Self.wrong, "", "x", "sha256=", Self.wrong + "0", Self.wrong + ", " + Self.wrong] {
                let answer = try await inbox.server.send("POST", "/hook", bytes: body, headers: ["X-Signature": value])
                #expect(answer.status == 401, "\(value)")
            }
            #expect(archive.begun == 0)
            let signed = ["X-Signature": try Self.signature(token, body)]
            #expect(try await inbox.server.send("POST", "/hook", bytes: body, headers: signed).status == 200)
            #expect(try await inbox.posts().map(\.body) == [body])
            #expect(try await inbox.posts().map(\.head.device) == ["anna"])
            let empty = ["X-Signature": try Self.signature(token, [])]
            #expect(try await inbox.server.send("POST", "/hook", bytes: [], headers: empty).status == 200)
        }
    }

    @Test func aSignedBodyWithoutATokenHasAtMostEightMegabytes() async throws {
        try await InboxUnderTest.run { inbox in
            let token = try await inbox.pair("anna")
            let largest = [UInt8](repeating: 0x20, count: 8 << 20)
            for (body, status) in [(largest, 200), (largest + [0x20], 413)] {
                let headers = ["X-Signature": try Self.signature(token, body)]
                #expect(try await inbox.server.send("POST", "/hook", bytes: body, headers: headers).status == status)
                let both = headers.merging(["X-API-Key": token]) { first, _ in first }
                #expect(try await inbox.server.send("POST", "/hook", bytes: body, headers: both).status == 200)
                // A wrong token makes nothing larger.
                let none = headers.merging(["X-API-Key": "hst_x"]) { first, _ in first }
                #expect(try await inbox.server.send("POST", "/hook", bytes: body, headers: none).status == status)
            }
        }
    }

    @Test func anAddressSendsFourSignedBodiesAtOnce() async throws {
        try await InboxUnderTest.run { inbox in
            let token = try await inbox.pair("anna")
            let signed = ["X-Signature": try Self.signature(token, [0x20])]
            var open: [RawSocket] = []
            for _ in 0..<4 {
                #expect(try await inbox.server.send("POST", "/hook", bytes: [0x20], headers: signed).status == 200)
                open.append(try await Self.open(inbox, sending: 10, of: Self.megabyte))
            }
            let further = try await inbox.server.send("POST", "/hook", bytes: [0x20], headers: signed)
            #expect(further.status == 429 && further.headers["retry-after"] == "5")
            #expect(
                try await inbox.server.send("POST", "/hook", bytes: [0x20], headers: ["X-API-Key": token]).status
                    == 200,
                "a token is not limited")
            open[0].finishSending()
            _ = try await BlockingThread.run { [socket = open[0]] in try socket.readToEnd() }
            #expect(try await inbox.server.send("POST", "/hook", bytes: [0x20], headers: signed).status == 200)
        }
    }

    @Test func theBodiesOfAnAddressAreLimitedInTotal() async throws {
        try await InboxUnderTest.run { inbox in
            let token = try await inbox.pair("anna")
            // Two bodies that are almost complete, and two of which nothing has arrived.
            let open = [
                try await Self.open(inbox, sending: (8 << 20) - 1, of: 8 << 20),
                try await Self.open(inbox, sending: (8 << 20) - 1, of: 8 << 20),
                try await Self.open(inbox, sending: 0, of: 8 << 20),
            ]
            let small = [UInt8](repeating: 0x20, count: 64 << 10)
            let large = small + [0x20]
            // The bytes on the way may arrive after these requests, so the large one is repeated until it is rejected.
            var status = 200
            while status == 200 {
                let headers = ["X-Signature": try Self.signature(token, large)]
                status = try await inbox.server.send("POST", "/hook", bytes: large, headers: headers).status
            }
            #expect(status == 429)
            let headers = ["X-Signature": try Self.signature(token, small)]
            #expect(try await inbox.server.send("POST", "/hook", bytes: small, headers: headers).status == 200)
            withExtendedLifetime(open) {}
        }
    }

    @Test(arguments: ["/healthz", "/anything", "/pair"])
    func aRequestWithoutATokenHasAShortBody(path: String) async throws {
        try await InboxUnderTest.run { inbox in
            _ = try await inbox.pair("anna")
            for chunked in [false, true] {
                let body = [UInt8](repeating: 0x20, count: (64 << 10) + 1)
                let statuses = try await Self.statuses(of: "GET", path, body, chunked: chunked, inbox.server)
                #expect(statuses.allSatisfy { [401, 413].contains($0) } && !statuses.isEmpty, "\(chunked) \(statuses)")
            }
        }
    }

    @Test(arguments: ["/health", "/ready", "/live", "/login", "/assets/a"])
    func aServerKeepsShortBodiesOnlyOfRequestsThatNeedNoToken(path: String) async throws {
        try await ServerUnderTest.runPages(access: .tokens) { server in
            _ = try await server.token("anna", [.read])
            for chunked in [false, true] {
                let body = [UInt8](repeating: 0x20, count: (64 << 10) + 1)
                #expect(try await Self.statuses(of: "GET", path, body, chunked: chunked, server) == [413], "\(chunked)")
            }
        }
    }

    private static func statuses(
        of method: String, _ path: String, _ body: [UInt8], chunked: Bool, _ server: ServerUnderTest
    ) async throws -> [Int] {
        let length = chunked ? "Transfer-Encoding: chunked" : "Content-Length: \(body.count)"
        let head = Array("\(method) \(path) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\(length)\r\n\r\n".utf8)
        let start = chunked ? Array("\(String(body.count, radix: 16))\r\n".utf8) : []
        let end = chunked ? Array("\r\n0\r\n\r\n".utf8) : []
        let received = try await server.exchange { try $0.send(head + start + body + end) }
        return [try Answer(received).status]
    }
}
