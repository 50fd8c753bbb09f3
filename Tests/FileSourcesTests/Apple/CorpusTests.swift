import Foundation
import HealthSyncDomain
import HealthSyncTestKit
import HealthSyncTestTools
import Testing

/// Malicious files collected by others: each is rejected with advice or read with a consistent account.
@Suite struct CorpusTests {
    static let corpora = URL(fileURLWithPath: ProjectFile.corpora)

    private static func files(in folders: [String]) -> [String] {
        folders.flatMap { folder -> [String] in
            let root = corpora.appendingPathComponent(folder).path
            let paths = FileManager.default.enumerator(atPath: root)?.compactMap { $0 as? String } ?? []
            return paths.sorted().map { root + "/" + $0 }
        }
    }

    @Test(
        .enabled(if: FileManager.default.fileExists(atPath: corpora.path), "no corpora here"),
        arguments: ["xml-generated", "zip-generated", "zip-yauzl"])
    func everyFileIsReadOrRejected(folder: String) async throws {
        let files = Self.files(in: [folder])
        #expect(files.count > 10)
        for file in files {
            do {
                let reading = try await Exports.read(file)
                let account = reading.account
                let sum = reading.samples.count + account.notSelected + account.rejected.values.reduce(0, +)
                #expect(account.recordsRead == sum, "\(file)")
            } catch let failure as SyncFailure {
                #expect([.badInput, .noInput].contains(failure.code) && !failure.advice.isEmpty, "\(file): \(failure)")
            } catch {
                Issue.record("\(file): \(error)")
            }
        }
    }
}
