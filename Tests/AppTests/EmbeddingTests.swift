import Foundation
import HealthSyncApp
import HealthSyncDomain
import HealthSyncEngine
import HealthSyncPorts
import HealthSyncTestTools
import Testing

/// The code of docs/embedding.md: a source of the program's own, and a run.
struct Pedometer: HealthDataSource {
    let counts: [(start: Instant, steps: Double)]

    var location: String { "pedometer" }
    var provider: String { "pedometer" }
    var semantics: SourceSemantics { .feed }

    func fingerprint() async throws -> SourceFingerprint {
        SourceFingerprint(path: location, content: "\(counts)")
    }

    func read(
        _ selection: SampleSelection, receive: @escaping @Sendable (borrowing SampleBatch) throws -> Void
    ) async throws -> SourceReading {
        var samples = SampleCollector(selection, receive: receive)
        for (start, steps) in counts {
            try Task.checkCancellation()
            try samples.add(
                SourceSample(
                    type: SampleTypeDefinition.stepCount.type, unit: "count",
                    origin: SampleOrigin(sourceName: "Pedometer"),
                    interval: InstantRange(start: start, end: start.advanced(bySeconds: 60)), value: steps))
        }
        return try samples.finish()
    }
}

func syncSteps(_ pedometer: Pedometer, into folder: String) async throws -> RunReport {
    let request = HealthSync.Request(
        .daily(), dataDirectory: folder, sources: [.opened(pedometer)], zone: "Europe/Paris")
    let report = try await HealthSync.run(request)
    if report.exitStatus != 0 { print(report.problems) }
    return report
}

@Suite("A run of an embedding program") struct EmbeddingTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private static let pedometer = Pedometer(counts: [
        (Instant(seconds: 1_705_305_600), 100), (Instant(seconds: 1_705_309_200), 20),
    ])

    @Test("imports, derives and reports, and finds nothing new the second time")
    func twice() async throws {
        let first = try await syncSteps(Self.pedometer, into: folder.path)
        #expect(first.exitStatus == 0 && first.problems.isEmpty)
        #expect(first.account.reading.stored == 2)
        guard case .synced(let days, let records) = first.sync.outcomes[.steps] else {
            Issue.record("steps were not derived")
            return
        }
        #expect(days > 0 && records > 0)
        let second = try await syncSteps(Self.pedometer, into: folder.path)
        #expect(second.account.reading.unchangedSources == 1)
        #expect(second.account.changedRecords == 0)
        #expect(second.outOfDate.count == 0)
    }

    @Test("recognizes locations, and counts samples that are stored, rejected or not selected")
    func locations() async throws {
        let time = "2024-01-15T08:00:00Z"
        func line(_ fields: String) -> String {
            #"{"startDate":"\#(time)","endDate":"\#(time)","sourceBundleId":"phone",\#(fields)}"#
        }
        let path = try folder.write(
            [line(#""count":12"#), line(#""count":-1"#), line(#""type":"bodyMass","value":70,"unit":"kg""#)]
                .joined(separator: "\n"), as: "samples.jsonl")
        var request = HealthSync.Request(
            .historical(), dataDirectory: folder.path + "/data", sources: [.location(path)], zone: "UTC")
        request.metrics = ["steps"]
        let reading = try await HealthSync.run(request).account.reading
        #expect(reading.records == 3)
        #expect((reading.stored, reading.rejected, reading.notSelected) == (1, 1, 1))
        request.metrics = nil
        let everything = try await HealthSync.run(request)
        #expect(everything.account.reading.notSelected == 0)
        #expect(everything.sync.outcomes[HealthMetric(rawValue: "bodyMass")] != nil)
    }

    @Test("throws a SyncFailure for a run that cannot be done")
    func failures() async throws {
        func code(_ change: (inout HealthSync.Request) -> Void) async -> SyncFailure.Code? {
            var request = HealthSync.Request(.daily(), dataDirectory: folder.path + "/none", zone: "UTC")
            change(&request)
            let copy = request
            return await #expect(throws: SyncFailure.self) { try await HealthSync.run(copy) }?.code
        }
        #expect(await code { $0.zone = "Mars/Olympus" } == .configuration)
        #expect(await code { $0.sources = [.location("/nothing/there")] } == .noInput)
        #expect(await code { $0.sources = [.location("csv:steps.csv")] } == .noInput)
        #expect(await code { $0.metrics = ["stepps"] } == .usage)
        #expect(await code { _ in } == .noInput)
    }

    @Test("ends with CancellationError when its task is cancelled")
    func cancellation() async throws {
        let path = folder.path
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await syncSteps(Self.pedometer, into: path)
        }
        switch await task.result {
        case .failure(let error): #expect(error is CancellationError)
        case .success: Issue.record("the run was not cancelled")
        }
    }

    @Test("is done by the code of the documentation")
    func documentation() throws {
        let code = try ["Embedding", "HealthData"].map { try ProjectFile.text("Tests/AppTests/\($0)Tests.swift") }
            .joined()
        let blocks = try ProjectFile.text("docs/embedding.md").components(separatedBy: "```swift\n").dropFirst()
            .compactMap { $0.components(separatedBy: "```").first }
        #expect(blocks.count >= 4)
        #expect(blocks.filter { !code.contains($0) } == [])
    }
}
