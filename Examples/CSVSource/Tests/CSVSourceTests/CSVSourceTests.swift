import CSVSource
import Foundation
import HealthSyncDomain
import HealthSyncPorts
import HealthSyncTestKit
import Testing

@Suite struct CSVSourceTests {
    @Test(arguments: try HealthDataSourceContract.clauses(for: fixture()))
    func keepsTheContractOfSources(_ clause: ContractClause) async throws { try await clause.check() }

    @Test(arguments: try HealthSourceFormatContract.clauses(for: CSVFormat(), with: fixture()))
    func keepsTheContractOfFormats(_ clause: ContractClause) async throws { try await clause.check() }

    @Test func unitsAreConverted() async throws {
        let path = try write(["distanceWalkingRunning,Phone,2024-01-15T08:00:00Z,2024-01-15T08:10:00Z,1500,m"])
        let selection = SampleSelection(types: [.walkingRunningDistance])
        let reading = try await CollectedReading.collect(CSVSource(path: path, clock: DayClock(home: .utc)), selection)
        #expect(reading.samples.map(\.value) == [1.5] && reading.samples.map(\.unit) == ["km"])
    }

    @Test func anHourThatOccursTwiceIsReadTwice() async throws {
        let path = try write(
            ["10", "40", "10", "40"].map { "stepCount,Phone,2024-10-27T02:\($0),2024-10-27T02:\($0),5,count" })
        let berlin = try ZoneRules(identifier: "Europe/Berlin")
        var identifiers: [[String?]] = []
        for (rules, minutes) in [(berlin, [10, 40, 70, 100]), (.utc, [130, 160, 130, 160])] as [(ZoneRules, [Int64])] {
            let source = CSVSource(path: path, clock: DayClock(home: rules))
            let reading = try await CollectedReading.collect(source, SampleSelection(types: [.stepCount]))
            let midnight = Instant(seconds: 1_729_987_200)
            #expect(reading.samples.map { ($0.interval.start.seconds - midnight.seconds) / 60 } == minutes)
            identifiers.append(reading.samples.map(\.detail?.externalID))
        }
        #expect(identifiers[0] == identifiers[1] && Set(identifiers[0]).count == 4)
    }

    @Test func aURLOpensTheFileOfItsPath() async throws {
        let path = try write([])
        let found = try await CSVFormat().sources(at: "csv:" + path, in: .utc)
        #expect(found?.sources.map(\.location) == [path])
    }
}

/// Writes `rows` below the header and returns the path.
private func write(_ rows: [String]) throws -> String {
    try write((["type,source,start,end,value,unit"] + rows).joined(separator: "\n") + "\n")
}

private func write(_ text: String) throws -> String {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let file = folder.appending(path: "\(UUID()).csv")
    try Data(text.utf8).write(to: file)
    return file.path
}

/// A temporary folder, deleted when the tests end.
private let folder: URL = {
    atexit { try? FileManager.default.removeItem(at: folder) }
    return FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
}()

private func fixture() throws -> HealthDataSourceFixture {
    let rows = (0..<6_000).map { index in
        let time = RFC3339.string(Instant(seconds: 1_700_000_000 + Int64(index) * 60))
        // Steps have no offset.
        let local = time.dropLast()
        return index % 3 == 0
            ? "heartRate,Watch,\(time),\(time),61,count/min" : "stepCount,Phone,\(local),\(local),12,count"
    }
    var broken = rows
    broken[3_001] = "stepCount,Phone,yesterday"
    let whole = try write(rows)
    let text = try String(contentsOfFile: whole, encoding: .utf8)
    var fixture = HealthDataSourceFixture(
        whole: whole, selection: SampleSelection(types: [.stepCount]),
        expected: (0..<6_000).filter { $0 % 3 > 0 }.map { index in
            let start = Instant(seconds: 1_700_000_000 + Int64(index) * 60)
            return SourceSample(
                type: SampleTypeDefinition.stepCount.type, unit: "count", origin: SampleOrigin(sourceName: "Phone"),
                interval: InstantRange(start: start, end: start), value: 12,
                detail: SampleDetail(externalID: String(RFC3339.string(start).dropLast())))
        },
        broken: try write(broken),
        truncated: try write(String(text.dropLast(text.count / 4 + 7))), foreign: try write("<HealthData/>\n"),
        missing: whole + ".missing"
    ) { CSVSource(path: $0, clock: DayClock(home: .utc)) }
    fixture.localTypes = [SampleTypeDefinition.stepCount.type]
    return fixture
}
