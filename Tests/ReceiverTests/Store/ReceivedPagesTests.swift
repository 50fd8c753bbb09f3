import Foundation
import HealthSyncDomain
import HealthSyncPorts
import HealthSyncSQLite
import HealthSyncTestKit
import HealthSyncTestTools
import Testing

/// Checks the layout of stored samples with a reader that was written from docs/server.md.
@Suite struct ReceivedPagesTests {
    @Test func everySampleIsReadableByTheDocumentedLayout() async throws {
        let path = TemporaryFolder.untilExit() + "/received.db"
        let store = try await SQLiteReceivedDataStore.open(at: path, time: ManualTime())
        var samples = ReceivingSamples.steps(9_000)
        samples[5].value = 0.125
        samples[6].isUppercase = true
        samples[7].revision = 3
        _ = try await store.store(write(samples))
        samples[8].revision = 1
        samples[8].start = Instant(milliseconds: 1)
        _ = try await store.store(write([samples[8]]))
        let marks = [0, 4_095, 4_096, 8_999].map { ReceivedSample.tombstone(samples[$0].id, revision: 0) }
        #expect(try await store.store(write(marks)).allSatisfy { $0 == .updated })
        // Read while the server has the file open.
        let lines = try await read(path)
        #expect(lines.count == 9_000)
        for index in [5, 6, 7, 8, 100, 8_998] {
            let sample = samples[index]
            #expect(
                lines[index] == """
                    \(index + 1)\tlocal\tsteps\t\(sample.id)\t\(sample.start.milliseconds)\t\(sample.end.milliseconds)\t\
                    \(sample.value)\tb\tNone\t\(sample.revision)\tFalse\t\(sample.isUppercase ? "True" : "False")
                    """)
        }
        #expect(lines.count { $0.contains("\tTrue\tFalse") } == 4)
        await store.close()
    }

    /// `received_pages.py` checks the summary of each page, including digests.
    @Test func aDatabaseOfSchemaOneIsMigratedCompletely() async throws {
        let path = TemporaryFolder.untilExit() + "/received.db"
        let (status, output) = try await Peer.run("servers/write_received_rows.py", [path])
        #expect(status == 0, "\(output)")
        let store = try await SQLiteReceivedDataStore.open(at: path, time: ManualTime())
        let written = output.split(separator: "\n").map(String.init)
        #expect(try await read(path) == written)
        let page = try await store.samples(SampleQuery(user: .local, type: "heartRate", limit: 100_000))
        let fields: [[Substring]] = written.map { $0.split(separator: "\t") }
        let alive: [String] = fields.filter { row in
            row[1] == "local" && row[2] == "heartRate" && row[10] == "False"
        }.map { String($0[3]) }
        #expect(page.batch.samples.map(\.id.description) == alive)
        #expect(try await store.store(write(page.batch.samples, type: "heartRate")).allSatisfy { $0 == .duplicate })
        // Positions continue after the last assigned one, which is 10 after that of the last sample.
        _ = try await store.store(write(ReceivingSamples.steps(1)))
        let last = try #require(fields.last?.first.flatMap { Int($0) })
        let added = try #require(try await read(path).last)
        #expect(added.hasPrefix("\(last + 11)\tlocal\tsteps\t"))
        await store.close()
    }

    private func read(_ path: String) async throws -> [String] {
        let (status, output) = try await Peer.run("servers/received_pages.py", [path])
        try ContractViolation.unlessEqual(status, 0, output)
        return output.split(separator: "\n").map(String.init)
    }

    private func write(_ samples: [ReceivedSample], type: String = "steps") -> ReceivedWrite {
        let origin = ReceivedOrigin(bundleID: "b", deviceName: nil, unit: "count")
        return ReceivedWrite(
            user: .local, receivedAt: ReceivingSamples.now,
            content: .samples(type: type, ReceivedSampleBatch(origins: [origin], samples: samples)))
    }
}
