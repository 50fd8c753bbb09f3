import HealthSyncReceiver
import Testing

/// The limits on requests from one address.
@Suite struct AddressLimitTests {
    private static func limits(perMinute: Int = 1_200) -> ServerLimits {
        var limits = ServerLimits()
        limits.requestsPerMinute = .init(perMinute, includesLoopback: true)
        return limits
    }

    @Test func tooManyRequestsAreRejectedUntilTimeHasPassed() async throws {
        let time = SteppedTime()
        try await ServerUnderTest.run(limits: Self.limits(perMinute: 6), time: time) { server in
            for _ in 0..<6 { #expect(try await server.send("GET", "/health").status == 200) }
            let body = StepsEndpointTests.body([StepsEndpointTests.sample(1)])
            let rejected = try await server.send("POST", "/steps", body)
            #expect(rejected.status == 429)
            #expect(rejected.headers["retry-after"] == "10")
            #expect(rejected.headers["content-type"] == "application/problem+json")
            time.advance(milliseconds: 9_000)
            #expect(try await server.send("GET", "/health").headers["retry-after"] == "1")
            time.advance(milliseconds: 1_000)
            #expect(try await server.send("POST", "/steps", body).status == 200)
            #expect(try await server.send("GET", "/health").status == 429)
            time.advance(milliseconds: 60_000)
            for _ in 0..<6 { #expect(try await server.send("GET", "/health").status == 200) }
            #expect(try await server.send("GET", "/health").status == 429)
        }
    }

    @Test func loopbackIsExemptByDefault() async throws {
        var limits = ServerLimits()
        limits.requestsPerMinute = .init(1)
        try await ServerUnderTest.run(limits: limits, time: SteppedTime()) { server async throws in
            for _ in 0..<3 { #expect(try await server.send("GET", "/health").status == 200) }
        }
    }

    @Test func behindAProxyTheForwardedAddressCounts() async throws {
        func from(_ address: String) -> [String: String] { ["X-Forwarded-For": address] }
        var limits = ServerLimits()
        limits.requestsPerMinute = .init(1)
        try await ServerUnderTest.run(limits: limits, isBehindProxy: true, time: SteppedTime()) { server async throws in
            #expect(try await server.send("GET", "/health", headers: from("203.0.113.1")).status == 200)
            #expect(try await server.send("GET", "/health", headers: from("203.0.113.1")).status == 429)
            #expect(try await server.send("GET", "/health", headers: from("203.0.113.2")).status == 200)
            // The proxy appends its address to those that the client sent.
            #expect(try await server.send("GET", "/health", headers: from("203.0.113.3, 203.0.113.2")).status == 429)
        }
        try await ServerUnderTest.run(limits: limits, time: SteppedTime()) { server async throws in
            for _ in 0..<2 {
                let answer = try await server.send("GET", "/health", headers: from("203.0.113.1"))
                #expect(answer.status == 200, "without a proxy the header is ignored")
            }
        }
    }

    @Test func onlyTheConfiguredProxyStatesTheClient() async throws {
        var limits = ServerLimits()
        limits.requestsPerMinute = .init(1)
        let elsewhere = try #require(AddressRange("10.0.0.0/8"))
        try await ServerUnderTest.run(limits: limits, isBehindProxy: true, proxies: [elsewhere], time: SteppedTime()) {
            server async throws in
            for _ in 0..<3 {
                let answer = try await server.send("GET", "/health", headers: ["X-Forwarded-For": "203.0.113.1"])
                #expect(answer.status == 200, "the address counts as loopback, which is exempt")
            }
        }
    }

    @Test func addressesOfOneNetworkCountTogether() async throws {
        var limits = ServerLimits()
        limits.requestsPerMinute = .init(1)
        try await ServerUnderTest.run(limits: limits, isBehindProxy: true, time: SteppedTime()) { server async throws in
            func status(_ address: String) async throws -> Int {
                try await server.send("GET", "/health", headers: ["X-Forwarded-For": address]).status
            }
            #expect(try await status("2001:db8:0:1::1") == 200)
            for same in ["2001:db8:0:1:ffff::2", "2001:DB8:0000:0001::1", "[2001:db8:0:1::9]:4711"] {
                #expect(try await status(same) == 429, "\(same)")
            }
            #expect(try await status("2001:db8:0:2::1") == 200)
            #expect(try await status("203.0.113.1") == 200)
            for same in ["::ffff:203.0.113.1", "::FFFF:CB00:7101", "203.0.113.1:4711"] {
                #expect(try await status(same) == 429, "\(same)")
            }
        }
    }

    @Test(arguments: [
        ("10.0.0.0/8", "10.255.0.1", true), ("10.0.0.0/8", "11.0.0.1", false), ("10.0.0.1", "10.0.0.1", true),
        ("10.0.0.1", "10.0.0.2", false), ("10.0.0.0/9", "10.128.0.0", false),
        ("2001:db8::/33", "2001:db8:7fff::", true),
        ("2001:db8::/33", "2001:db8:8000::", false), ("0.0.0.0/0", "203.0.113.1", true), ("0.0.0.0/0", "::1", false),
        ("127.0.0.1", "::ffff:127.0.0.1", true),
    ])
    func aRangeContainsTheAddressesWithItsFirstBits(range: String, address: String, isInside: Bool) throws {
        let parsed = try #require(AddressRange(range))
        #expect(parsed.contains(try #require(ClientAddress(address))) == isInside)
    }

    @Test(arguments: ["", "10.0.0", "10.0.0.0/33", "10.0.0.0/-1", "10.0.0.0/x", "::1/129", "host", "10.0.0.256"])
    func anInvalidRangeIsRejected(text: String) { #expect(AddressRange(text) == nil) }

    @Test func behindAProxyConcurrentRequestsFromOneAddressAreLimited() async throws {
        var limits = ServerLimits()
        limits.connectionsPerAddress = .init(2)
        try await ServerUnderTest.run(limits: limits, isBehindProxy: true) { server in
            func head(_ address: String) -> String {
                "POST /steps HTTP/1.1\r\nHost: localhost\r\nX-Forwarded-For: \(address)\r\nExpect: 100-continue\r\n"
                    + "Content-Length: 14\r\n\r\n"
            }
            let held = try (0..<2).map { _ in try RawSocket(port: server.port) }
            for socket in held {
                try socket.send(head("203.0.113.1"))
                #expect(try await socket.answer(upTo: "\r\n\r\n").contains("100 Continue"))
            }
            let headers = ["X-Forwarded-For": "203.0.113.1"]
            let rejected = try await server.send("GET", "/health", headers: headers)
            #expect(rejected.status == 429)
            #expect(rejected.headers["retry-after"] == "1")
            #expect(try await server.send("GET", "/health", headers: ["X-Forwarded-For": "203.0.113.2"]).status == 200)
            for socket in held {
                try socket.send(#"{"samples":[]}"#)
                #expect(try await socket.answer(upTo: "\"results\":[]}").contains("HTTP/1.1 200"))
            }
            // A second request on a connection starts after the first has ended.
            try held[0].send("GET /health HTTP/1.1\r\nHost: localhost\r\nX-Forwarded-For: 203.0.113.1\r\n\r\n")
            #expect(try await held[0].answer(upTo: "}").contains("HTTP/1.1 200"))
        }
    }
}
