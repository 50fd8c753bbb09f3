import Foundation
import HealthSyncDomain
import HealthSyncPorts
import HealthSyncReceiver
import HealthSyncTestKit
import HealthSyncTestTools
import Testing

@Suite struct InboxFailureTests {
    @Test(arguments: [(SyncFailure.Code.diskFull, 507), (.storage, 503)])
    func aFailingArchiveIsReportedAndRecovers(code: SyncFailure.Code, status: Int) async throws {
        let archive = InMemoryInboxArchive()
        try await InboxUnderTest.run(archive: archive) { inbox in
            let headers = ["X-API-Key": try await inbox.pair("anna")]
            archive.fail(with: SyncFailure(code, subject: "inbox", reason: "broken", advice: "repair it"))
            for body in ["body", "", String(repeating: "x", count: 500_000)] {
                let answer = try await inbox.server.send("POST", "/", body, headers: headers)
                #expect(answer.status == status)
                #expect(answer.headers["retry-after"] != nil)
            }
            #expect(inbox.log.events.count == 3)
            #expect(try await inbox.posts().isEmpty)
            archive.fail(with: nil)
            #expect(try await inbox.server.send("POST", "/", "body", headers: headers).status == 200)
            #expect(inbox.reports.received.count == 1)
        }
    }

    @Test func aFailureInTheMiddleOfABodyIsReported() async throws {
        let archive = InMemoryInboxArchive()
        try await InboxUnderTest.run(archive: archive) { inbox in
            let token = try await inbox.pair("anna")
            let socket = try RawSocket(port: inbox.server.port)
            try socket.send(
                "POST / HTTP/1.1\r\nHost: x\r\nX-API-Key: \(token)\r\nConnection: close\r\nExpect: 100-continue\r\n"
                    + "Content-Length: 400000\r\n\r\n")
            #expect(try await socket.answer(upTo: "\r\n\r\n").hasPrefix("HTTP/1.1 100"))
            archive.fail(with: SyncFailure(.diskFull, subject: "inbox", reason: "full", advice: "free some space"))
            try socket.send([UInt8](repeating: 0x20, count: 400_000))
            let answer = try await BlockingThread.run { try Answer(socket.readToEnd()) }
            #expect(answer.status == 507)
            #expect(try await inbox.posts().isEmpty)
            #expect(inbox.log.events.count == 1)
        }
    }

    @Test func aBodyOfMoreThan64MiBIsRejected() async throws {
        let folder = TemporaryFolder.untilExit() + "/inbox"
        try await InboxUnderTest.run(archive: FileInboxArchive(folder: folder)) { inbox in
            let token = try await inbox.pair("anna")
            let head = "POST / HTTP/1.1\r\nHost: x\r\nX-API-Key: \(token)\r\nConnection: close\r\n"
            let stated = try await inbox.server.exchange { socket in
                try socket.send(head + "Content-Length: \(64 << 20 + 1)\r\n\r\n")
            }
            #expect(try Answer(stated).status == 413)
            let chunk = [UInt8](repeating: 0x20, count: 1 << 20)
            let chunked = try await inbox.server.exchange { socket in
                try socket.send(head + "Transfer-Encoding: chunked\r\n\r\n")
                for _ in 0..<65 {
                    try socket.send("100000\r\n")
                    try socket.send(chunk)
                    try socket.send("\r\n")
                }
                try socket.send("0\r\n\r\n")
            }
            #expect(try Answer(chunked).status == 413)
            #expect(try FileManager.default.subpathsOfDirectory(atPath: folder).filter { $0.contains("/") } == [])
            let whole = try await inbox.server.exchange { socket in
                try socket.send(head + "Content-Length: \(64 << 20)\r\n\r\n")
                for _ in 0..<64 { try socket.send(chunk) }
            }
            #expect(try Answer(whole).status == 200)
            #expect(try await inbox.archive.entries(limit: 9).map(\.bytes) == [64 << 20])
        }
    }

    @Test func aLongBodyWithoutATokenIsRejectedBeforeItIsRead() async throws {
        try await InboxUnderTest.run { inbox in
            let stated = try await inbox.server.exchange { socket in
                try socket.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 2000000\r\n\r\n")
            }
            #expect(try Answer(stated).status == 401)
            let chunk = [UInt8](repeating: 0x20, count: 1 << 20)
            let chunked = try await inbox.server.exchange { socket in
                try socket.send(
                    "POST / HTTP/1.1\r\nHost: x\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n100000\r\n")
                try socket.send(chunk)
                try socket.send("\r\n0\r\n\r\n")
            }
            #expect(try Answer(chunked).status == 401)
        }
    }

    @Test func aBodyThatEndsEarlyLeavesNothing() async throws {
        let folder = TemporaryFolder.untilExit() + "/inbox"
        try await InboxUnderTest.run(archive: FileInboxArchive(folder: folder)) { inbox in
            let token = try await inbox.pair("anna")
            _ = try await inbox.server.exchange { socket in
                try socket.send(
                    "POST / HTTP/1.1\r\nHost: x\r\nX-API-Key: \(token)\r\nContent-Length: 100000\r\n\r\nbody")
                socket.finishSending()
            }
            #expect(try await inbox.server.send("GET", "/healthz").status == 200)
            #expect(try FileManager.default.subpathsOfDirectory(atPath: folder).filter { $0.contains("/") } == [])
        }
    }

    @Test func concurrentPostsAreAllArchived() async throws {
        let archive = FileInboxArchive(folder: TemporaryFolder.untilExit() + "/inbox")
        try await InboxUnderTest.run(archive: archive) { inbox in
            let token = try await inbox.pair("anna")
            try await withThrowingTaskGroup(of: Int.self) { group in
                for number in 0..<24 {
                    group.addTask {
                        try await inbox.server.send("POST", "/\(number)", "\(number)", headers: ["api-key": token])
                            .status
                    }
                }
                for try await status in group { #expect(status == 200) }
            }
            let posts = try await inbox.posts()
            #expect(Set(posts.map { String(decoding: $0.body, as: UTF8.self) }) == Set((0..<24).map(String.init)))
            #expect(posts.allSatisfy { $0.head.path == [String(decoding: $0.body, as: UTF8.self)] })
        }
    }

    @Test func onlyPrivateAddressesAreAccepted() async throws {
        var settings = DaemonSettings(port: 0, isBehindProxy: true)
        settings.acceptsOnlyPrivateAddresses = true
        try await InboxUnderTest.run(settings: settings) { inbox in
            let token = try await inbox.pair("anna")
            for (address, status) in [("192.168.1.9", 200), ("fe80::1%eth0", 200), ("203.0.113.9", 403), ("x", 403)] {
                let headers = ["X-API-Key": token, "X-Forwarded-For": address]
                #expect(try await inbox.server.send("POST", "/", "b", headers: headers).status == status, "\(address)")
            }
            #expect(try await inbox.posts().count == 2)
        }
    }

    /// An independent judgment: the module `ipaddress` of Python.
    @Test func privateAddressesAreThoseOfTheirNetworks() throws {
        let addresses = [
            "10.0.0.0", "10.255.255.255", "9.255.255.255", "11.0.0.0", "172.15.255.255", "172.16.0.0", "172.31.255.255",
            "172.32.0.0", "192.167.255.255", "192.168.0.0", "192.168.255.255", "192.169.0.0", "169.253.255.255",
            "169.254.0.0", "169.254.255.255", "169.255.0.0", "126.255.255.255", "127.0.0.1", "128.0.0.0", "8.8.8.8",
            "100.64.0.1", "0.0.0.0", "::1", "::2", "::", "fc00::", "fdff:ffff::1", "fbff::1", "fe00::1", "fe80::1",
            "febf:ffff::1", "fec0::1", "2001:db8::1", "::ffff:10.0.0.1", "::ffff:8.8.8.8", "::ffff:192.168.1.1",
            "::10.0.0.1", "64:ff9b::10.0.0.1",
        ]
        let program = """
            import ipaddress, sys
            names = "10/8 172.16/12 192.168/16 169.254/16 127/8".split()
            full = lambda name: name.split("/")[0] + ".0" * (3 - name.split("/")[0].count(".")) + "/" + name.split("/")[1]
            four = [ipaddress.ip_network(full(name)) for name in names]
            six = [ipaddress.ip_network(name) for name in ("fc00::/7", "fe80::/10", "::1/128")]
            for text in sys.argv[1:]:
                address = ipaddress.ip_address(text)
                address = getattr(address, "ipv4_mapped", None) or address
                print(any(address in network for network in (four if address.version == 4 else six)))
            """
        let output = String(decoding: try Command(["python3", "-c", program] + addresses).output(), as: UTF8.self)
        let expected = output.split(separator: "\n").map { $0 == "True" }
        #expect(expected.count == addresses.count)
        for (address, isPrivate) in zip(addresses, expected) {
            #expect(PrivateNetwork.contains(address) == isPrivate, "\(address)")
        }
        for text in ["", "x", "10.0.0", "10.0.0.0.1", "localhost"] { #expect(!PrivateNetwork.contains(text)) }
    }
}
