import Foundation
import HealthSyncDomain
import HealthSyncSystem
import HealthSyncTestKit
import HealthSyncTestTools
import Testing

@Suite("Run lock")
struct RunLockTests {
    private let time = ManualTime()

    private func withFolder(_ use: (String) async throws -> Void) async throws {
        let home = try TemporaryFolder()
        try await use(home.path(of: "data"))
    }

    @Test("A second run waits, then fails naming the holder; after release it succeeds")
    func secondRun() async throws {
        try await withFolder { folder in
            let first = try await RunLock.acquire(
                inFolder: folder, command: "historical", waitMilliseconds: 0, time: time)
            let started = time.now()
            let failure = await #expect(throws: SyncFailure.self) {
                try await RunLock.acquire(inFolder: folder, command: "daily", waitMilliseconds: 1_230, time: time)
            }
            #expect(failure?.code == .busy)
            #expect(
                failure?.reason
                    == "another run is in progress (historical, process \(getpid()), since \(RFC3339.string(started)))")
            #expect(time.now() == started.advanced(byMilliseconds: 1_230))
            first.release()
            first.release()
            let next = try await RunLock.acquire(
                inFolder: folder, command: "daily", waitMilliseconds: 0, time: time)
            let text = try String(contentsOfFile: folder + "/healthsync.lock", encoding: .utf8)
            #expect(text.hasPrefix("\(getpid())\ndaily\n"))
            next.release()
        }
    }

    @Test("The folder and the file are created for their owner only")
    func permissions() async throws {
        try await withFolder { folder in
            let lock = try await RunLock.acquire(inFolder: folder, waitMilliseconds: 0, time: time)
            defer { lock.release() }
            let files = FileManager.default
            #expect(try files.attributesOfItem(atPath: folder)[.posixPermissions] as? Int == 0o700)
            #expect(
                try files.attributesOfItem(atPath: folder + "/healthsync.lock")[.posixPermissions] as? Int == 0o600)
        }
    }

    @Test("A folder that cannot be created is rejected")
    func cannotBeMade() async throws {
        try await withFolder { folder in
            try Data().write(to: URL(fileURLWithPath: folder))
            let failure = await #expect(throws: SyncFailure.self) {
                try await RunLock.acquire(inFolder: folder, waitMilliseconds: 0, time: time)
            }
            #expect(failure?.code == .cannotCreate)
        }
    }
}
