import Foundation
import HealthSyncCommands
import HealthSyncDomain
import HealthSyncFileSources
@testable import HealthSyncOutboxHTTP
import HealthSyncPorts
@testable import HealthSyncReceiver
import HealthSyncSystem
import HealthSyncTestKit

/// What reads foreign bytes.
enum FuzzTarget: String {
    case xml
    case zip
    case jsonLines
    case healthAutoExport
    case inbox
    case configuration
    case pages
    case receivedPages
    case answers
    case requests

    private static let hasher = LibcryptoHasher()
    private static let everything = SampleSelection(types: SampleTypeTable.builtIn().rows, includesOtherTypes: true)
    private static let context = SourceContext(clock: DayClock(home: .utc))

    func read(_ bytes: [UInt8]) async throws {
        switch self {
        case .xml: try await Self.readFile(bytes, named: "export.xml")
        case .zip: try await Self.readFile(bytes, named: "export.zip")
        case .jsonLines: try await Self.readFile(bytes, named: "samples.jsonl")
        case .healthAutoExport: try await Self.readFile(bytes, named: "HealthAutoExport.json")
        case .inbox: try await Self.readPost(bytes)
        case .configuration: _ = try ConfigurationFile(bytes, path: "config.json")
        case .pages: Self.readPage(bytes)
        case .receivedPages: Self.readReceivedPage(bytes)
        case .answers: Self.readAnswers(bytes)
        case .requests: try await Self.answerRequest(bytes)
        }
    }

    private static func readFile(_ bytes: [UInt8], named name: String) async throws {
        let path = folder + "/" + name
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        let limits = DecompressionLimits(totalBytes: 4 << 20, ratio: 100, ratioFloor: 1 << 16)
        for format in BuiltInSourceFormats.all(hasher: hasher, limits: limits) {
            guard let found = try await format.sources(at: path, in: context) else { continue }
            for source in found.sources { try await requireSum(of: source) }
            return
        }
    }

    /// Reads a source and requires that every record is counted once.
    private static func requireSum(of source: any HealthDataSource) async throws {
        let reading = try await CollectedReading.collect(source, everything)
        let account = reading.account
        let counted = reading.samples.count + account.notSelected + account.rejected.values.reduce(0, +)
        precondition(counted == account.recordsRead, "\(account.recordsRead) records, \(counted) accounted for")
    }

    /// The first byte selects the app; the rest is the body.
    private static func readPost(_ bytes: [UInt8]) async throws {
        let decoders = BuiltInInboxDecoders.all(hasher: hasher)
        guard let first = bytes.first else { return }
        let decoder = decoders[Int(first) % decoders.count]
        let body = Array(bytes.dropFirst())
        let head = InboxHead(
            method: "POST", path: [], headers: [], device: "phone", receivedAt: Instant(seconds: 1_700_000_000))
        _ = decoder.recognizes(head, start: body.prefix(64 << 10))
        _ = decoder.handshake(head, body: body[...])
        try await requireSum(of: DecodedPosts(decoder, [InboxPost(id: "1", head: head, body: body)], in: context))
    }

    private static func readPage(_ bytes: [UInt8]) {
        guard let columns = try? SamplePageCodec.decode(bytes), let start = columns.starts.first else { return }
        let day = CalendarDay(utcDayOf: Instant(milliseconds: start))
        let again = try? SamplePageCodec.decode(SamplePageCodec.encode(columns, day: day))
        precondition(again?.starts == columns.starts && again?.durations == columns.durations, "another page")
    }

    /// The first two bytes are the length of the ids, which precede the columns.
    private static func readReceivedPage(_ bytes: [UInt8]) {
        guard bytes.count >= 2 else { return }
        let rest = bytes.dropFirst(2)
        let length = min(Int(bytes[0]) | Int(bytes[1]) << 8, rest.count)
        guard let ids = try? ReceivedPageCodec.ids(Array(rest.prefix(length))) else { return }
        _ = try? ReceivedPageCodec.decode(Array(rest.dropFirst(length)), ids: ids)
    }

    private static func readAnswers(_ bytes: [UInt8]) {
        let members = [["steps/day/2024-01-15", "steps/hour/2024-01-15/2024-01-15T08:00:00Z"], ["other"]]
        let response = ServerResponse(
            status: 200, report: AnswerReader.report(bytes), explanation: ServerText.explanation(bytes))
        _ = ResponseClassifier().verdict(
            for: response, members: members, expectsResults: true, now: Instant(seconds: 1_700_000_000))
        _ = AnswerReader.meansAlreadyExists(bytes)
        _ = AnswerReader.capabilities(bytes, largestBody: 1 << 20)
        _ = DigestReading.digests(bytes, starts: [Instant(seconds: 0)])
        _ = RecordDigestReading.digests(bytes)
        _ = RecordDigestReading.page(bytes, isOfTombstones: false)
        _ = RecordDigestReading.page(bytes, isOfTombstones: true)
        _ = SampleListReading.page(bytes)
    }

    private static let targets = [
        "/steps", "/api/v1/sleep", "/api/v1/progress", "/api/v1/snapshots", "/api/v1/samples/heartRate",
        "/api/v1/deletions/steps",
    ]

    /// The first byte selects the path and whether the body is compressed; the rest is the body, or a whole head.
    private static func answerRequest(_ bytes: [UInt8]) async throws {
        guard let first = bytes.first else { return }
        let body = Array(bytes.dropFirst())
        var scanner = HeadScanner()
        if case .complete(let count) = scanner.scan(body[...]) { _ = try? HeadParser(body[..<count]) }
        let time = ManualTime()
        let services = ReceiverServices(
            store: InMemoryReceivedDataStore(), hasher: hasher, time: time, limits: ServerLimits(),
            log: CollectedEvents(), version: "1.0.0")
        let authenticator = Authenticator(
            store: InMemoryAccessTokenStore(), hasher: hasher, time: time, allowsOpenAccess: true)
        let api = ReceiverAPI(services: services, authenticator: authenticator, metrics: ServerMetrics())
        let coding = first >= 128 ? "gzip" : "identity"
        let head = RequestHead(
            number: 1, method: "POST", target: targets[Int(first) % targets.count], version: "HTTP/1.1",
            headers: [
                .init("host", "localhost"), .init("content-type", "application/json"),
                .init("content-encoding", coding),
            ], remoteAddress: "127.0.0.1")
        let handler = api.handler(for: head)
        guard case .accept(let caller) = await handler.admission() else { fatalError("not accepted") }
        let response = await handler.response(to: HTTPRequest(head: head, caller: caller, body: body))
        precondition(response.status < 500, "status \(response.status)")
    }

    private static let folder: String = {
        let folder =
            FileManager.default.temporaryDirectory.path
            + "/healthsync-fuzz-\(ProcessInfo.processInfo.processIdentifier)"
        try? FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        atexit { try? FileManager.default.removeItem(atPath: FuzzTarget.folder) }
        return folder
    }()
}
