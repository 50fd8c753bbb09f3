import Foundation
import HealthSyncDomain
import HealthSyncSQLite
import HealthSyncTestKit
import HealthSyncTestTools
import Testing

@Suite("Damaged files")
struct DamageTests {
    /// Opens and uses the file; any damage may only appear as a `SyncFailure`.
    private func use(_ path: String, _ time: ManualTime) async throws -> SyncFailure? {
        do {
            let database = try await SQLiteDatabase.open(at: path, time: time)
            do {
                try await StoreFilling.readEverything(database)
                try await StoreFilling.fill(database)
            } catch {
                try? await database.close()
                throw error
            }
            try await database.close()
            return nil
        } catch let failure as SyncFailure {
            #expect(failure.code == .storage || failure.code == .unexpected, "\(failure)")
            #expect(!failure.advice.isEmpty)
            return failure
        }
    }

    @Test(
        "Flipped bits, zeroed pages and truncation cause a failure or nothing, but never a crash",
        arguments: Seeds.range(24))
    func damagedOwn(seed: UInt64) async throws {
        let temporary = try TemporaryDatabase()
        let database = try await temporary.open()
        try await StoreFilling.fill(database)
        try await database.close()
        var random = SeededRandom(seed: seed)
        var bytes = try Data(contentsOf: URL(fileURLWithPath: temporary.path))
        switch seed % 3 {
        case 0:
            for _ in 0..<20 {
                let place = Int.random(in: 100..<bytes.count, using: &random)
                bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
            }
        case 1:
            let page = Int.random(in: 1..<bytes.count / 8192, using: &random)
            bytes.replaceSubrange(page * 8192..<(page + 1) * 8192, with: Data(count: 8192))
        default: bytes = bytes.prefix(Int.random(in: 1..<bytes.count, using: &random))
        }
        try bytes.write(to: URL(fileURLWithPath: temporary.path))
        let failure = try await use(temporary.path, temporary.time)
        if seed % 3 == 2 { #expect(failure != nil) }
    }

    @Test(
        "Every file of the corpus is rejected with a clear message",
        .enabled(if: !CorruptCorpus.files.isEmpty), arguments: CorruptCorpus.files)
    func corpus(_ path: String) async throws {
        let temporary = try TemporaryDatabase()
        try FileManager.default.copyItem(atPath: path, toPath: temporary.path)
        let before = FileManager.default.contents(atPath: temporary.path)
        let failure = try #require(try await use(temporary.path, temporary.time))
        #expect(failure.code == .storage)
        #expect(FileManager.default.contents(atPath: temporary.path) == before)
    }
}
