import HealthSyncDomain
import HealthSyncEngine
import HealthSyncPorts
import HealthSyncTestKit
import HealthSyncTestTools
import Testing

/// Every record read is stored, known, rejected or not selected.
@Suite struct AccountTests {
    private static func entry(_ random: inout SeededRandom) -> MemorySource.Entry {
        let day = Int.random(in: 0..<4, using: &random)
        let hour = Int.random(in: 0..<24, using: &random)
        return switch Int.random(in: 0..<12, using: &random) {
        case 0: .rejected("no value")
        case 1: .rejected("no date")
        case 2: .broken
        case 3: .sample(.heartRate(70, day: day, hour: hour))
        case 4, 5:
            .sample(.steps(Double(Int.random(in: 0...9, using: &random)), day: day, hour: hour, origin: Fact.buckets))
        default: .sample(.steps(Double(Int.random(in: 0...2, using: &random)), day: day, hour: hour))
        }
    }

    private static func source(_ number: Int, _ random: inout SeededRandom) -> MemorySource {
        let entries = (0..<Int.random(in: 0...60, using: &random)).map { _ in entry(&random) }
        let isWhole = Int.random(in: 0..<4, using: &random) > 0
        return MemorySource(
            location: "\(number)", provider: ["left", "right"].randomElement(using: &random) ?? "left",
            semantics: Bool.random(using: &random) ? .snapshot : .feed,
            exportDay: [nil, 30, 31, 32].randomElement(using: &random) ?? nil,
            content: isWhole ? .entries(entries) : .truncated(entries))
    }

    @Test(arguments: Seeds.range(UInt64(150))) func addsUp(_ seed: UInt64) async throws {
        var random = SeededRandom(seed: seed)
        let bench = EngineBench()
        for run in 0..<3 {
            let before = try await bench.kept()
            let sources = (0..<3).map { Self.source(run * 3 + $0, &random) }
            let reports = try await bench.importSources(sources, allowDeletions: true)
            let after = try await bench.kept()
            for report in reports {
                #expect(report.addsUp, "\(report)")
                #expect(report.stored >= 0 && report.alreadyKnown >= 0 && report.deleted >= 0)
            }
            let read = sources.reduce(0) { sum, source in
                switch source.content {
                case .entries(let all), .truncated(let all): sum + all.count { $0 != .broken }
                case .foreign, .missing: sum
                }
            }
            #expect(reports.reduce(0) { $0 + $1.reading.recordsRead } == read)
            let grown = reports.reduce(0) { $0 + $1.stored - $1.deleted }
            #expect(after.count - before.count == grown)
        }
    }

    @Test func theReportNamesTheSkippedRecords() async throws {
        var source = MemorySource.snapshot([], on: 3)
        source.content = .entries([
            .sample(.steps(1, day: 0)), .sample(.steps(1, day: 0)), .rejected("no value"), .broken,
            .sample(.heartRate(60, day: 0)),
        ])
        let report = try #require(try await EngineBench().importSources(source).first)
        #expect(report.stored == 1 && report.alreadyKnown == 1 && report.pagesWritten == 1)
        #expect(report.reading.rejected == ["no value": 1] && report.reading.notSelected == 1)
        #expect(report.reading.recordsRead == 4 && report.reading.problemCount == 1)
    }

    @Test(arguments: [-1, 1]) func nothingIsStoredIfTheTotalsDoNotAddUp(error: Int) async throws {
        let bench = EngineBench()
        let source = MiscountingSource(
            source: .snapshot([.steps(1, day: 0), .steps(2, day: 1)], on: 3), error: error)
        let sourceImport = SourceImport(
            store: bench.stores.pages, hasher: PlainHasher(), time: bench.time, clock: bench.clock,
            progress: SilentLog(), log: SilentLog())
        do {
            _ = try await sourceImport.importSources(
                [source], selection: SampleSelection(types: [.stepCount]), allowDeletions: false, force: false)
            Issue.record("wrong totals were accepted")
        } catch let failure as SyncFailure {
            #expect(failure.code == .unexpected && failure.subject == source.location)
        }
        #expect(try await bench.kept().isEmpty)
        #expect(try await bench.stores.pages.importedSource(path: source.location) == nil)
    }
}
