import HealthSyncDomain
import HealthSyncPorts
import Synchronization

/// What every `InboxDecoder` guarantees, as clauses that any test framework can run.
public enum InboxDecoderContract {
    /// Returns the clauses for the decoder of `fixture`.
    public static func clauses(for fixture: InboxDecoderFixture) -> [ContractClause] {
        (recognitionClauses(fixture) + decodingClauses(fixture) + selectionClauses(fixture) + faultClauses(fixture))
            .limited
    }

    private static func recognizes(_ decoder: any InboxDecoder, _ post: InboxPost, _ body: [UInt8]? = nil) -> Bool {
        decoder.recognizes(post.head, start: (body ?? post.body).prefix(1 << 16))
    }

    private static func recognitionClauses(_ fixture: InboxDecoderFixture) -> [ContractClause] {
        let decoder = fixture.decoder
        return [
            ContractClause("Posts of the app are recognized, repeatedly") {
                for post in [fixture.post, fixture.next, fixture.post] {
                    try ContractViolation.unless(recognizes(decoder, post), "\(post.id) was not recognized")
                }
            },
            ContractClause("A post of another app is not recognized") {
                try ContractViolation.unless(!recognizes(decoder, fixture.foreign), "it was recognized")
            },
            ContractClause("Recognition does not depend on the order of members") {
                for descending in [false, true] {
                    guard let body = ReorderedJSON.body(fixture.post.body, descending: descending) else { return }
                    try ContractViolation.unless(recognizes(decoder, fixture.post, body), "it was not recognized")
                }
            },
            ContractClause("A delivery is not a handshake, and its answer is a success") {
                let handshake = decoder.handshake(fixture.post.head, body: fixture.post.body[...])
                try ContractViolation.unless(handshake == nil, "the delivery was taken for a handshake")
                let status = await decoder.answer(to: fixture.post.head) { fixture.post.body }.status
                try ContractViolation.unless((200..<300).contains(status), "the answer has the status \(status)")
            },
            ContractClause("Name and provider are not empty") {
                try ContractViolation.unless(!decoder.name.isEmpty && !decoder.provider.isEmpty, "one is empty")
            },
        ]
    }

    private static func collect(
        _ fixture: InboxDecoderFixture, _ posts: [InboxPost], _ selection: SampleSelection? = nil
    ) async throws -> CollectedReading {
        try await CollectedReading.collect(
            DecodedPosts(fixture.decoder, posts), selection ?? fixture.selection)
    }

    private static func decodingClauses(_ fixture: InboxDecoderFixture) -> [ContractClause] {
        [
            ContractClause("Decoding again gives the same samples and the same account") {
                let first = try await collect(fixture, [fixture.post])
                try ContractViolation.unless(!first.samples.isEmpty, "the fixture delivered nothing")
                try requireSame(try await collect(fixture, [fixture.post]), first)
            },
            ContractClause("Decoding does not depend on the order of members") {
                let first = try await collect(fixture, [fixture.post])
                for descending in [false, true] {
                    guard let body = ReorderedJSON.body(fixture.post.body, descending: descending) else { return }
                    let post = InboxPost(id: fixture.post.id, head: fixture.post.head, body: body)
                    let other = try await collect(fixture, [post])
                    try other.requireSamples(first.counted)
                }
            },
            ContractClause("Samples and their origins do not depend on the name of the device and the id of the post") {
                var post = fixture.post
                post.id += "-again"
                post.head.device = "another device"
                let first = try await collect(fixture, [fixture.post])
                let other = try await collect(fixture, [post])
                try other.requireSamples(first.counted)
            },
            ContractClause("Several posts in one reading give the samples of all of them") {
                let both = try await collect(fixture, [fixture.post, fixture.next])
                let first = try await collect(fixture, [fixture.post])
                let second = try await collect(fixture, [fixture.next])
                try both.requireSamples(first.counted.merging(second.counted, uniquingKeysWith: +))
                try ContractViolation.unlessEqual(
                    both.account.recordsRead, first.account.recordsRead + second.account.recordsRead, "records read")
            },
            ContractClause("Only a change stream deletes") {
                let account = try await collect(fixture, [fixture.post, fixture.next]).account
                let deletes = !account.deletions.isEmpty || !account.windows.isEmpty
                try ContractViolation.unless(
                    !deletes || fixture.decoder.semantics == .changes, "a feed reported deletions or windows")
            },
        ]
    }

    private static func selectionClauses(_ fixture: InboxDecoderFixture) -> [ContractClause] {
        [
            ContractClause("Only selected types are delivered, in the selected unit") {
                let reading = try await collect(fixture, [fixture.post])
                let units = Dictionary(
                    fixture.selection.types.map { ($0.type, $0.unit) }, uniquingKeysWith: { first, _ in first })
                for sample in reading.samples {
                    try ContractViolation.unlessEqual(
                        sample.unit, units[sample.type], "unit of \(sample.type.rawValue)")
                }
                try ContractViolation.unless(
                    fixture.hasOneType || reading.account.notSelected > 0, "nothing was counted as not selected")
                try requireSum(reading)
            },
            ContractClause("An empty selection delivers nothing and accounts for every record") {
                let reading = try await collect(fixture, [fixture.post], SampleSelection(types: []))
                try ContractViolation.unlessEqual(reading.samples.count, 0, "samples delivered")
                try ContractViolation.unless(reading.account.recordsRead > 0, "no record was counted")
                try requireSum(reading)
            },
            ContractClause("With other types included, no record counts as not selected") {
                var all = fixture.selection
                all.includesOtherTypes = true
                let some = try await collect(fixture, [fixture.post])
                let reading = try await collect(fixture, [fixture.post], all)
                try ContractViolation.unlessEqual(reading.account.notSelected, 0, "records not selected")
                try ContractViolation.unless(
                    fixture.hasOneType || reading.samples.count > some.samples.count, "no other type was delivered")
                try requireSum(reading)
            },
            ContractClause("An error of the receiver is rethrown") {
                struct Rejection: Error {}
                var reading = fixture.decoder.reading(fixture.selection, in: .utc) { _ in throw Rejection() }
                do {
                    try reading.take(fixture.post)
                    _ = try reading.finish()
                } catch is Rejection { return }
                throw ContractViolation("the error was not rethrown")
            },
        ]
    }

    private static func faultClauses(_ fixture: InboxDecoderFixture) -> [ContractClause] {
        [
            ContractClause("A broken post throws badInput and delivers nothing, and the next post is decoded") {
                let delivered = Mutex(0)
                var reading = fixture.decoder.reading(fixture.selection, in: .utc) { batch in
                    let count = batch.starts.count
                    delivered.withLock { $0 += count }
                }
                do {
                    try reading.take(fixture.broken)
                    throw ContractViolation("nothing was thrown")
                } catch let failure as SyncFailure {
                    try ContractViolation.unlessEqual(failure.code, .badInput, "code of the failure")
                }
                try ContractViolation.unlessEqual(reading.account.recordsRead, 0, "records read of the broken post")
                try reading.take(fixture.post)
                let account = try reading.finish()
                let expected = try await collect(fixture, [fixture.post])
                try ContractViolation.unlessEqual(account, expected.account, "account")
                try ContractViolation.unlessEqual(delivered.withLock { $0 }, expected.samples.count, "samples")
            },
            ContractClause("A truncated post gives no part of a sample, and its account adds up") {
                let whole = try await collect(fixture, [fixture.post]).counted
                for length in 0..<fixture.post.body.count {
                    let body = Array(fixture.post.body.prefix(length))
                    _ = recognizes(fixture.decoder, fixture.post, body)
                    guard let reading = try await collectDamaged(fixture, body) else { continue }
                    let unknown = reading.counted.filter { (whole[$0.key] ?? 0) < $0.value }
                    try ContractViolation.unless(
                        unknown.isEmpty, "cut at \(length), \(unknown.count) samples are not in the whole post")
                }
            },
            ContractClause("The account of a damaged post adds up") {
                var random = SeededRandom(seed: 12)
                for _ in 0..<500 where !fixture.post.body.isEmpty {
                    var body = fixture.post.body
                    for _ in 0..<Int.random(in: 1...3, using: &random) {
                        let place = Int.random(in: body.indices, using: &random)
                        body[place] = UInt8.random(in: 0...255, using: &random)
                    }
                    _ = recognizes(fixture.decoder, fixture.post, body)
                    _ = try await collectDamaged(fixture, body)
                }
            },
        ]
    }

    /// Decodes a damaged body; `nil` if it cannot be decoded as a whole.
    private static func collectDamaged(
        _ fixture: InboxDecoderFixture, _ body: [UInt8]
    ) async throws -> CollectedReading? {
        let post = InboxPost(id: fixture.post.id, head: fixture.post.head, body: body)
        do {
            let reading = try await collect(fixture, [post])
            try requireSum(reading)
            return reading
        } catch let failure as SyncFailure {
            try ContractViolation.unlessEqual(failure.code, .badInput, "code of the failure")
            return nil
        }
    }

    private static func requireSame(_ reading: CollectedReading, _ other: CollectedReading) throws {
        try reading.requireSamples(other.counted)
        try ContractViolation.unlessEqual(reading.account, other.account, "account")
    }

    private static func requireSum(_ reading: CollectedReading) throws {
        let account = reading.account
        let sum = reading.samples.count + account.notSelected + account.rejected.values.reduce(0, +)
        try ContractViolation.unlessEqual(sum, account.recordsRead, "delivered + not selected + rejected")
    }
}
