import HealthSyncDomain
package import HealthSyncPorts

/// The contract of `InboxArchive`.
package enum InboxArchiveContract {
    /// Returns the clauses; `make` returns a new, empty archive on each call, which accepts bodies of up to 1 MiB.
    package static func clauses(make: @escaping @Sendable () throws -> any InboxArchive) -> [ContractClause] {
        receiving(make) + settling(make) + pruning(make)
    }

    private static func receiving(_ make: @escaping @Sendable () throws -> any InboxArchive) -> [ContractClause] {
        [
            ContractClause("a committed post is returned as received, and waits") {
                let archive = try make()
                let head = InboxSamples.head()
                let body = (0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
                let id = try await archive.put(head, [Array(body[..<70_000]), [], Array(body[70_000...])])
                let post = try await archive.post(id)
                try ContractViolation.unlessEqual(post.head, head, "head")
                try ContractViolation.unless(post.body == body, "the body differs")
                try ContractViolation.unless(
                    try await archive.body(id, limit: 200_000) == body, "the body alone differs")
                do {
                    _ = try await archive.body(id, limit: 199_999)
                    throw ContractViolation("a body that is longer than the limit was returned")
                } catch let failure as SyncFailure {
                    try ContractViolation.unlessEqual(failure.code, .badInput, "code")
                }
                try ContractViolation.unlessEqual(try await archive.waiting(limit: 9), [id], "waiting")
                let entry = InboxEntry(id: id, head: head, bytes: 200_000, state: .waiting, outcome: nil)
                try ContractViolation.unlessEqual(try await archive.entries(limit: 9), [entry], "entries")
                try ContractViolation.unlessEqual(try await archive.entry(id), entry, "entry")
            },
            ContractClause("a discarded post, and one that was not committed, are not in the archive") {
                let archive = try make()
                let discarded = try archive.begin(InboxSamples.head())
                try [UInt8(1), 2, 3].withUnsafeBytes { try discarded.append($0) }
                discarded.discard()
                let open = try archive.begin(InboxSamples.head())
                try [UInt8(1), 2, 3].withUnsafeBytes { try open.append($0) }
                try ContractViolation.unlessEqual(try await archive.waiting(limit: 9), [], "waiting")
                try ContractViolation.unlessEqual(try await archive.entries(limit: 9), [], "entries")
                open.discard()
            },
            ContractClause("the start of a body is its first 64 KiB") {
                let writer = try make().begin(InboxSamples.head())
                try ContractViolation.unlessEqual(try writer.start(), [], "start of an empty body")
                let body = (0..<100_000).map { UInt8(truncatingIfNeeded: $0) }
                try body.withUnsafeBytes { try writer.append($0) }
                try ContractViolation.unless(try writer.start() == Array(body[..<65_536]), "the start differs")
                writer.discard()
            },
            ContractClause("posts are ordered by receipt, also if the clock is set back") {
                let archive = try make()
                var ids: [String] = []
                for seconds in [5, 9, 9, 2, 7] as [Int64] {
                    ids.append(try await archive.put(InboxSamples.head(after: seconds), [[UInt8(seconds)]]))
                }
                try ContractViolation.unlessEqual(try await archive.waiting(limit: 9), ids, "waiting")
                try ContractViolation.unlessEqual(try await archive.waiting(limit: 2), Array(ids[..<2]), "first two")
                try ContractViolation.unlessEqual(try await archive.waiting(limit: 0), [], "none")
                try ContractViolation.unlessEqual(
                    try await archive.entries(limit: 2).map(\.id), [ids[4], ids[3]], "latest two")
            },
        ]
    }

    private static func settling(_ make: @escaping @Sendable () throws -> any InboxArchive) -> [ContractClause] {
        [
            ContractClause("a settled post does not wait, and its outcome is listed") {
                let archive = try make()
                let (first, second) = (try await archive.put(), try await archive.put())
                let third = try await archive.put()
                var good = InboxOutcome(sender: "App", decodedAt: InboxSamples.now)
                (good.records, good.rejected, good.deletions) = (5, 2, 1)
                let bad = InboxOutcome(sender: "App", reason: "not JSON", decodedAt: InboxSamples.now)
                try await archive.settle(first, as: good)
                try await archive.settle(second, as: bad)
                try ContractViolation.unlessEqual(try await archive.waiting(limit: 9), [third], "waiting")
                let entries = try await archive.entries(limit: 9)
                try ContractViolation.unlessEqual(entries.map(\.state), [.waiting, .undecoded, .decoded], "states")
                try ContractViolation.unlessEqual(entries.map(\.outcome), [nil, bad, good], "outcomes")
                try ContractViolation.unlessEqual(
                    try await archive.counts(), [.waiting: 1, .decoded: 1, .undecoded: 1], "counts")
                try ContractViolation.unlessEqual(try await archive.post(first).body, [1], "body")
            },
            ContractClause("a post without a sender is undecoded, and can be settled again") {
                let archive = try make()
                let id = try await archive.put()
                try await archive.settle(id, as: InboxOutcome(sender: nil, decodedAt: InboxSamples.now))
                try ContractViolation.unlessEqual(try await archive.entries(limit: 1).map(\.state), [.undecoded], "1")
                let good = InboxOutcome(sender: "App", decodedAt: InboxSamples.now)
                try await archive.settle(id, as: good)
                let entries = try await archive.entries(limit: 9)
                try ContractViolation.unlessEqual(entries.map(\.state), [.decoded], "state")
                try ContractViolation.unlessEqual(entries.map(\.outcome), [good], "outcome")
            },
            ContractClause("a post that is retried waits in its place, without an outcome") {
                let archive = try make()
                let (first, second) = (try await archive.put(), try await archive.put())
                try await archive.settle(first, as: InboxOutcome(sender: "App", decodedAt: InboxSamples.now))
                try await archive.retry(first)
                try await archive.retry(second)
                try ContractViolation.unlessEqual(try await archive.waiting(limit: 9), [first, second], "waiting")
                try ContractViolation.unlessEqual(
                    try await archive.entries(limit: 9).map(\.outcome), [nil, nil], "outcomes")
            },
            ContractClause("an unknown id is .noInput") {
                let archive = try make()
                _ = try await archive.put()
                let outcome = InboxOutcome(sender: "App", decodedAt: InboxSamples.now)
                for id in ["none", "", "../waiting", "20261122T221839123-0000-1"] {
                    for call in [
                        { _ = try await archive.post(id) }, { _ = try await archive.entry(id) },
                        { try await archive.retry(id) },
                        { try await archive.settle(id, as: outcome) },
                    ] as [() async throws -> Void] {
                        try await InboxSamples.expect(.noInput, call)
                    }
                }
            },
            ContractClause("a body that is longer than the limit is .badInput") {
                let archive = try make()
                let id = try await archive.put(InboxSamples.head(), [[UInt8](repeating: 0x20, count: 1 << 20 + 1)])
                try await InboxSamples.expect(.badInput) { _ = try await archive.post(id) }
            },
        ]
    }

    private static func pruning(_ make: @escaping @Sendable () throws -> any InboxArchive) -> [ContractClause] {
        [
            ContractClause("old posts that do not wait are deleted") {
                let archive = try make()
                var ids: [String] = []
                for seconds in 0..<4 as Range<Int64> {
                    ids.append(try await archive.put(InboxSamples.head(after: seconds), [[1]]))
                }
                try await archive.settle(ids[0], as: InboxOutcome(sender: "App", decodedAt: InboxSamples.now))
                try await archive.settle(ids[1], as: InboxOutcome(sender: nil, decodedAt: InboxSamples.now))
                try await archive.settle(ids[3], as: InboxOutcome(sender: "App", decodedAt: InboxSamples.now))
                let deleted = try await archive.prune(before: InboxSamples.now.advanced(bySeconds: 3), bytes: .max)
                try ContractViolation.unlessEqual(deleted, 2, "deleted")
                try ContractViolation.unlessEqual(
                    try await archive.entries(limit: 9).map(\.id), [ids[3], ids[2]], "kept")
                try await InboxSamples.expect(.noInput) { _ = try await archive.post(ids[0]) }
            },
            ContractClause("an archive that is too large loses decoded posts first, the oldest first") {
                let archive = try make()
                var ids: [String] = []
                for _ in 0..<5 {
                    ids.append(try await archive.put(InboxSamples.head(), [[UInt8](repeating: 1, count: 100_000)]))
                }
                try await archive.settle(ids[0], as: InboxOutcome(sender: nil, decodedAt: InboxSamples.now))
                for id in ids[1...3] {
                    try await archive.settle(id, as: InboxOutcome(sender: "App", decodedAt: InboxSamples.now))
                }
                let old = Instant(milliseconds: .min)
                try ContractViolation.unlessEqual(try await archive.prune(before: old, bytes: 320_000), 2, "deleted")
                try ContractViolation.unlessEqual(
                    try await archive.entries(limit: 9).map(\.id), [ids[4], ids[3], ids[0]], "kept")
                try ContractViolation.unlessEqual(try await archive.prune(before: old, bytes: 0), 2, "deleted")
                try ContractViolation.unlessEqual(try await archive.waiting(limit: 9), [ids[4]], "waiting")
            },
        ]
    }
}

/// Posts for tests of archives.
enum InboxSamples {
    static let now = Instant(milliseconds: 1_700_000_000_123)

    static func head(device: String = "phone", after seconds: Int64 = 0) -> InboxHead {
        InboxHead(
            method: "POST", path: ["api", "ä/b"], query: ["q": "ü \"x\""],
            headers: [.init("content-type", "application/json"), .init("x-odd", "a\\\"b")], device: device,
            receivedAt: now.advanced(bySeconds: seconds))
    }

    static func expect(_ code: SyncFailure.Code, _ body: () async throws -> Void) async throws {
        do {
            try await body()
        } catch let failure as SyncFailure where failure.code == code { return }
        throw ContractViolation("expected \(code.rawValue)")
    }
}

extension InboxArchive {
    /// Archives a post and returns its id.
    func put(_ head: InboxHead = InboxSamples.head(), _ pieces: [[UInt8]] = [[1]]) async throws -> String {
        let writer = try begin(head)
        for piece in pieces { try piece.withUnsafeBytes { try writer.append($0) } }
        return try await writer.commit()
    }
}
