import Foundation
import HealthSyncTestTools

/// Damaged and malicious SQLite files, which exist on some machines next to the package.
enum CorruptCorpus {
    static let files: [String] = {
        let folder = ProjectFile.corpora + "/sqlite-generated-corrupt"
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        // An empty file is not damage: a run killed before SQLite wrote leaves one, and the next run uses it.
        return names.filter { $0.hasSuffix(".db") }.sorted().map { folder + "/" + $0 }
            .filter { (FileManager.default.contents(atPath: $0) ?? Data()).isEmpty == false }
    }()
}
