import Foundation
import HealthSyncDomain
import HealthSyncFileSources
import HealthSyncPorts
import HealthSyncSystem
import HealthSyncTestKit
import HealthSyncTestTools
import Testing

@Suite struct HealthAutoExportFaultTests {
    private static let text =
        #"{"data":{"metrics":[{"units":"count","name":"step_count","data":[{"date":"2024-01-15 08:00:00 +0100","qty":5},"#
        + #"{"date":"2024-01-15 09:00:00 +0100","qty":6,"source":"a|\u00e9\"}]"}]},{"name":"sleep_analysis","units":"hr","#
        + #""data":[{"core":3,"awake":0.5,"sleepStart":"2024-01-14 23:00:00 +0100","sleepEnd":"2024-01-15 07:00:00 +0100"}]}"#
        + #"],"workouts":[{"name":"Walk"}]}}"#
    private static let selection = SampleSelection(types: [.stepCount, .sleepAnalysis])

    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func read(_ path: String) async throws -> CollectedReading {
        try await CollectedReading.collect(
            HealthAutoExportSource(path: path, hasher: LibcryptoHasher()), Self.selection)
    }

    @Test func aTruncatedFileYieldsCompleteSamplesOnly() async throws {
        let whole = Array(Self.text.utf8)
        let all = try await read(folder.write(whole, as: "whole.json")).counted
        #expect(all.count == 4)
        for length in 10..<whole.count {
            let reading = try await read(folder.write(whole.prefix(length), as: "cut.json"))
            #expect(reading.counted.allSatisfy { (all[$0.key] ?? 0) >= $0.value }, "cut at \(length)")
            #expect(reading.account.rejected.isEmpty, "cut at \(length)")
            #expect(reading.account.incompleteAtByte == Int64(length), "cut at \(length)")
        }
    }

    @Test func mutatedFilesNeverCrashAndAlwaysAddUp() async throws {
        var generator = SeededGenerator(seed: 21)
        var outcomes = (read: 0, rejected: 0, incomplete: 0, foreign: 0)
        for _ in 0..<2_000 {
            let path = try folder.write(generator.mutate(Array(Self.text.utf8)), as: "mutant.json")
            do {
                let reading = try await read(path)
                let account = reading.account
                #expect(
                    account.recordsRead
                        == reading.samples.count + account.notSelected + account.rejected.values.reduce(0, +))
                outcomes.read += 1
                outcomes.rejected += account.rejected.isEmpty ? 0 : 1
                outcomes.incomplete += account.isComplete ? 0 : 1
            } catch let failure as SyncFailure {
                #expect(failure.code == .badInput)
                outcomes.foreign += 1
            }
        }
        #expect(outcomes.read > 1_300)
        #expect(outcomes.rejected > 100)
        #expect(outcomes.incomplete > 100)
        #expect(outcomes.foreign > 5)
    }

    @Test(arguments: ["[", "{\"a\":", "[[{\"a\":"]) func deepNestingIsReported(opening: String) async throws {
        let deep = String(repeating: opening, count: 200_000)
        let inside = try await read(
            folder.write(#"{"data":{"metrics":[{"name":"step_count","data":[\#(deep)"#, as: "deep.json"))
        #expect(inside.samples.isEmpty && !inside.account.isComplete)
        let beside = try await read(folder.write(#"{"data":{"metrics":\#(deep)"#, as: "deeper.json"))
        #expect(beside.samples.isEmpty && !beside.account.isComplete)
    }

    @Test func aFolderIsReadDespiteUnreadableFiles() async throws {
        _ = try folder.write(Self.text, as: "HealthAutoExport-2024-01-15.json")
        _ = try folder.write("", as: "HealthAutoExport-2024-01-16.json")
        _ = try folder.write("[1]", as: "other.json")
        _ = try folder.write("no", as: "notes.txt")
        let reading = try await read(folder.path)
        #expect(reading.samples.count == 4)
        #expect(reading.account.problemCount == 2)
        #expect(reading.account.incompleteAtByte == 0)
    }

    @Test func filesAreReadInTheOrderOfTheirLastDays() async throws {
        for (day, steps) in [("2024-01-16", 30), ("2024-01-14", 10), ("2024-01-14-2024-01-15", 20)] {
            let entry = #"{"date":"2024-01-14 00:00:00 +0100","qty":\#(steps)}"#
            _ = try folder.write(
                #"{"data":{"metrics":[{"data":[\#(entry)],"units":"count","name":"step_count"}]}}"#,
                as: "HealthAutoExport-\(day).json")
        }
        let reading = try await read(folder.path)
        #expect(reading.samples.map(\.value) == [10, 20, 30])
    }
}
