import Foundation
import HealthSyncDomain
import HealthSyncPorts
import HealthSyncSyntheticExport
import HealthSyncTestKit
import HealthSyncTestTools
import Synchronization
import Testing

/// Files are written atomically and incrementally.
@Suite struct FileTests {
    /// Calls back on every report.
    private struct Reporter: ProgressReporter {
        let body: @Sendable () -> Void

        func report(phase: String, done: Int64, total: Int64?) { body() }
        func report(phase: String, done: Int64, total: Int64?, detail: String) { body() }
    }

    private func failure(_ change: (inout ExportGenerationRequest) -> Void) async throws -> SyncFailure? {
        let folder = try TemporaryFolder()
        var request = ExportGenerationRequest(years: 1, outPath: folder.path(of: "export.zip"), density: 0.05)
        change(&request)
        let error = await #expect(throws: SyncFailure.self) {
            try await SyntheticExport(time: ManualTime()).generate(request, progress: nil)
        }
        #expect(try folder.names() == [])
        return error
    }

    @Test func invalidRequestsAreRejected() async throws {
        #expect(try await failure { $0.zoneName = "Mars/Olympus" }?.code == .usage)
        #expect(try await failure { $0.years = 0 }?.code == .usage)
        #expect(try await failure { $0.years = 51 }?.code == .usage)
        #expect(try await failure { $0.density = .nan }?.code == .usage)
        #expect(try await failure { $0.outPath += ".txt" }?.code == .usage)
        #expect(try await failure { $0.truthPath = $0.outPath }?.code == .usage)
    }

    @Test(arguments: ["zip", "xml"])
    func aFolderThatIsNotThereIsNamed(suffix: String) async throws {
        let failure = try await failure { $0.outPath += "/nowhere/export.\(suffix)" }
        #expect(failure?.code == .cannotCreate)
        #expect(failure?.subject.hasSuffix("nowhere/export.\(suffix)") == true)
    }

    @Test(arguments: ["export.zip", "export.xml"])
    func cancellationLeavesWhatWasThere(file: String) async throws {
        let folder = try TemporaryFolder()
        try Data("before".utf8).write(to: URL(filePath: folder.path(of: file)))
        let request = ExportGenerationRequest(
            years: 10, outPath: folder.path(of: file), truthPath: folder.path(of: "truth.json"), replacesFiles: true)
        let running = Mutex<Task<Void, any Error>?>(nil)
        // The first report waits until the task is known.
        let reporter = Reporter { running.withLock { $0?.cancel() } }
        let task = running.withLock { running in
            let task = Task { _ = try await SyntheticExport(time: ManualTime()).generate(request, progress: reporter) }
            running = task
            return task
        }
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(try folder.names() == [file])
        #expect(try folder.contents(of: file) == Data("before".utf8))
    }

    /// Memory is bounded because at most one piece is held: between two reports the file grows by one piece.
    @Test func theFileIsWrittenIncrementally() async throws {
        let folder = try TemporaryFolder()
        let partial = folder.path(of: ".export.xml.\(getpid()).new")
        let sizes = Mutex<[Int]>([])
        let reporter = Reporter {
            let size = try? FileManager.default.attributesOfItem(atPath: partial)[.size] as? Int
            sizes.withLock { $0.append(size ?? -1) }
        }
        let request = ExportGenerationRequest(years: 1, outPath: folder.path(of: "export.xml"), density: 0.4)
        let made = try await SyntheticExport(time: ManualTime()).generate(request, progress: reporter)
        let seen = sizes.withLock { $0 }
        #expect(try folder.contents(of: "export.xml").count == Int(made.xmlBytes))
        #expect(seen.first == 0)
        #expect(seen.last == Int(made.xmlBytes))
        let longest = zip(seen, seen.dropFirst()).map { $1 - $0 }.max() ?? .max
        #expect(longest < 512 * 1024)
    }
}
