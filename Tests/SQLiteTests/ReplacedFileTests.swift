import Foundation
import HealthSyncDomain
import HealthSyncPorts
import HealthSyncSQLite
import Testing

@Suite("A database that is removed or replaced")
struct ReplacedFileTests {
    private func replace(_ path: String, with other: String?) throws {
        let files = FileManager.default
        for end in ["", "-wal", "-shm"] where files.fileExists(atPath: path + end) {
            try files.removeItem(atPath: path + end)
        }
        if let other { try files.copyItem(atPath: other, toPath: path) }
    }

    @Test("A reader reads the new file, and fails if none exists")
    func reader() async throws {
        let (shown, other) = (try TemporaryDatabase(), try TemporaryDatabase())
        let filled = try await shown.open()
        try await StoreFilling.fill(filled)
        try await filled.close()
        try await other.open().close()
        let reader = try await shown.open(.readOnly)
        #expect(try await !reader.repository.progress(of: nil, days: StoreFilling.days).isEmpty)
        try replace(shown.path, with: other.path)
        #expect(try await reader.repository.progress(of: nil, days: StoreFilling.days) == [])
        try replace(shown.path, with: nil)
        let failure = await #expect(throws: SyncFailure.self) { try await reader.repository.recordedDays() }
        #expect(failure?.code == .noInput)
        try replace(shown.path, with: other.path)
        #expect(try await reader.repository.recordedDays() == nil)
        try await reader.close()
    }

    @Test("Kept results and the version are those of the new file")
    func keptResults() async throws {
        let (shown, other) = (try TemporaryDatabase(), try TemporaryDatabase())
        let shoe = Shoe(id: UUID(), details: ShoeDetails(brand: "Brand", model: "Model"), addedAt: Instant(seconds: 1))
        var change = ShoeChange()
        change.shoes = [shoe]
        change.sessions = [
            ShoeSession(id: UUID(), shoe: shoe.id, start: Instant(seconds: 2), end: Instant(seconds: 3))
        ]
        let filled = try await shown.open()
        try await filled.shoes.commit(change)
        try await filled.close()
        try await other.open().close()
        let reader = try await shown.open(.readOnly)
        let before = try await reader.repository.version()
        #expect(try await reader.shoes.sessions().all.count == 1)
        #expect(try await reader.repository.version() == before)
        try replace(shown.path, with: other.path)
        #expect(try await reader.shoes.sessions().all.isEmpty)
        #expect(try await reader.repository.version() != before)
        try await reader.close()
    }

    @Test("A writer stops, and the new file is unchanged", arguments: [false, true])
    func writer(isReplaced: Bool) async throws {
        let (written, other) = (try TemporaryDatabase(), try TemporaryDatabase())
        try await other.open().close()
        let writer = try await written.open()
        try replace(written.path, with: isReplaced ? other.path : nil)
        let before = FileManager.default.contents(atPath: written.path)
        for _ in 1...2 {
            let failure = await #expect(throws: SyncFailure.self) { try await StoreFilling.fill(writer) }
            #expect(failure?.code == .storage)
            #expect(failure?.reason.contains("removed or replaced") == true)
        }
        #expect(FileManager.default.contents(atPath: written.path) == before)
    }
}
