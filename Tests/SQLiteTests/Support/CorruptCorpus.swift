import Foundation
import HealthSyncTestTools

/// Damaged and hostile SQLite files that some machines have beside the package.
enum CorruptCorpus {
    static let files: [String] = {
        let folder = ProjectFile.corpora + "/sqlite-generated-corrupt"
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        // A file without a byte is no damage: a run killed before SQLite wrote leaves one, and the next goes on.
        return names.filter { $0.hasSuffix(".db") }.sorted().map { folder + "/" + $0 }
            .filter { (FileManager.default.contents(atPath: $0) ?? Data()).isEmpty == false }
    }()
}
