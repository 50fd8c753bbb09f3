import Foundation
import HealthSyncDomain
import HealthSyncPorts
import HealthSyncTestKit
import Testing

/// The contract suites of sources and decoders end also for code that does not return.
@Suite("Plug-ins that hang")
struct HangingPlugInTests {
    private static let reason =
        "did not end within 1 s, nor within 2 s after it was cancelled: a call of the tested code does not return"

    /// Returns the clauses that failed because of their limit, and those that failed otherwise. They run at the same time.
    private func failures(of clauses: [ContractClause]) async -> (late: [String], others: [String]) {
        await withTaskGroup(of: (String, String?).self) { group in
            for clause in clauses {
                group.addTask {
                    do {
                        try await clause.limited(to: 1).check()
                        return (clause.name, nil)
                    } catch { return (clause.name, "\(error)") }
                }
            }
            var (late, others): ([String], [String]) = ([], [])
            for await (name, failure) in group {
                guard let failure else { continue }
                if failure.contains(Self.reason) { late.append(name) } else { others.append("\(name): \(failure)") }
            }
            return (late, others)
        }
    }

    @Test("A source that does not return fails every clause that reads it, with the reason")
    func source() async {
        let whole = DiarySource.fixture(nil)
        let fixture = HealthDataSourceFixture(
            whole: whole.whole, selection: whole.selection, expected: whole.expected, broken: whole.broken,
            truncated: whole.truncated, foreign: whole.foreign, missing: whole.missing
        ) { HangingSource(location: $0) }
        let failures = await failures(of: HealthDataSourceContract.clauses(for: fixture))
        #expect(failures.late.count > 8, "\(failures)")
    }

    @Test("A decoder that does not return fails every clause that decodes a post, with the reason")
    func decoder() async {
        let head = InboxHead(
            method: "POST", path: ["hang"], device: "phone", receivedAt: Instant(seconds: 1_705_392_000))
        func post(_ id: String) -> InboxPost { InboxPost(id: id, head: head, body: Array("hang".utf8)) }
        let fixture = InboxDecoderFixture(
            HangingDecoder(), post: post("1"), next: post("2"), selection: SampleSelection(types: [.stepCount]),
            broken: post("3"), foreign: InboxPost(id: "4", head: head, body: Array("other".utf8)))
        let failures = await failures(of: InboxDecoderContract.clauses(for: fixture))
        #expect(failures.late.count > 3, "\(failures)")
    }
}

/// A source whose reading never returns.
private struct HangingSource: HealthDataSource {
    let location: String
    var provider: String { "hang" }
    var semantics: SourceSemantics { .feed }

    func fingerprint() async throws -> SourceFingerprint { SourceFingerprint(path: location, content: "") }

    func read(
        _ selection: SampleSelection, receive: @escaping @Sendable (borrowing SampleBatch) throws -> Void
    ) async throws -> SourceReading {
        await withUnsafeContinuation { (_: UnsafeContinuation<SourceReading, Never>) in }
    }
}

/// A decoder that blocks its thread at every post.
private struct HangingDecoder: InboxDecoder {
    struct Reading: InboxReading {
        var samples: SampleCollector
        var account: SourceReading { samples.account }

        mutating func take(_ post: InboxPost) throws { DispatchSemaphore(value: 0).wait() }

        mutating func finish() throws -> SourceReading { try samples.finish() }
    }

    var name: String { "Hang" }
    var provider: String { "hang" }
    var semantics: SourceSemantics { .feed }

    func recognizes(_ head: InboxHead, start: ArraySlice<UInt8>) -> Bool { start.elementsEqual("hang".utf8) }

    func reading(
        _ selection: SampleSelection, in context: SourceContext,
        receive: @escaping @Sendable (borrowing SampleBatch) throws -> Void
    ) -> any InboxReading {
        Reading(samples: SampleCollector(selection, receive: receive))
    }
}
