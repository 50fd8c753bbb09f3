import Foundation
import HealthSyncDomain
import HealthSyncPorts
import HealthSyncTestKit
import NDJSONSender
import Testing

struct NDJSONSenderTests {
    @Test(arguments: HealthDestinationContract.clauses { NDJSONTestFile().fixture })
    func keepsTheContract(_ clause: ContractClause) async throws { try await clause.check() }

    @Test func onlyAddressesOfAbsolutePathsAreAccepted() throws {
        let format = NDJSONFormat()
        #expect(format.recognizes("ndjson:/tmp/x") && !format.recognizes("https://example.org"))
        for address in ["ndjson:", "ndjson:x", "ndjson:/tmp/"] {
            #expect(throws: SyncFailure.self) { try NDJSONTestFile.open(address) }
        }
    }

    @Test func aBatchThatWasInterruptedIsReplaced() async throws {
        let file = NDJSONTestFile()
        let destination = try NDJSONTestFile.open(file.address)
        let bench = DestinationBench(destination)
        let capabilities = try await bench.capabilities()
        func batch(_ ids: [String]) -> OutboxBatch {
            bench.batch(ids.map { bench.tombstone($0, kind: .sleep, revision: 1) }, capabilities: capabilities)
        }
        for batch in [batch(["a"]), batch(["b", "c"])] {
            #expect(await destination.sender.send(batch, capabilities: capabilities) == .delivered(batch))
        }
        let whole = try Data(contentsOf: file.url)
        for length in [whole.count - 1, whole.count - 20, whole.count - 200] {
            try whole.prefix(length).write(to: file.url)
            let reopened = try NDJSONTestFile.open(file.address)
            let second = batch(["b", "c"])
            #expect(await reopened.sender.send(second, capabilities: capabilities) == .delivered(second))
            #expect(try Data(contentsOf: file.url) == whole)
        }
    }

    @Test func aFileThatCannotBeOpenedPausesDelivery() async throws {
        let destination = try NDJSONTestFile.open("ndjson:/no such folder/health.ndjson")
        let bench = DestinationBench(destination)
        let capabilities = try await bench.capabilities()
        let batch = bench.batch([bench.tombstone("a", kind: .sleep, revision: 1)], capabilities: capabilities)
        guard case .pause = await destination.sender.send(batch, capabilities: capabilities) else {
            Issue.record("delivery is not paused")
            return
        }
    }
}

/// A file in a temporary folder, deleted with this value.
final class NDJSONTestFile: Sendable {
    private let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)

    private var asideFolder: URL { folder.appendingPathExtension("aside") }

    init() { try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true) }

    deinit { try? FileManager.default.removeItem(at: folder) }

    var url: URL { folder.appending(path: "health.ndjson") }
    var address: String { "ndjson:" + url.path }

    var fixture: HealthDestinationFixture {
        var fixture = HealthDestinationFixture(
            open: { try Self.open(self.address) },
            storedCount: {
                let text = (try? String(contentsOf: self.url, encoding: .utf8)) ?? ""
                return text.count { $0 == "\n" }
            },
            setAvailable: { isAvailable in
                let (from, to) = isAvailable ? (self.asideFolder, self.folder) : (self.folder, self.asideFolder)
                try FileManager.default.moveItem(at: from, to: to)
            })
        fixture.storedIDs = { try self.storedIDs() }
        fixture.openByOtherSpelling = { try Self.open("ndjson:" + self.folder.path + "/./health.ndjson") }
        return fixture
    }

    /// Returns the ids whose line with the highest revision is not a deletion, read as a user of the file does.
    private func storedIDs() throws -> Set<String> {
        struct Hour: Decodable { let id: String }
        struct Record: Decodable { let id: String, revision: Int, kind: String, hours: [Hour]?, deleted: Bool? }
        struct Line: Decodable { let record: Record }
        var latest: [String: Record] = [:]
        for line in try Data(contentsOf: url).split(separator: UInt8(ascii: "\n")) {
            let record = try JSONDecoder().decode(Line.self, from: line).record
            for id in [record.id] + (record.hours ?? []).map(\.id) where record.revision > latest[id]?.revision ?? 0 {
                latest[id] = record
            }
        }
        return Set(latest.filter { $0.value.deleted != true }.keys)
    }

    static func open(_ address: String) throws -> HealthDestination {
        try NDJSONFormat().destination(
            for: DestinationRequest(address: address, userProfile: UUID().uuidString, time: ManualTime()))
    }
}
