import Foundation

/// Damaged and hostile SQLite files that some machines have beside the package.
enum CorruptCorpus {
    static let files: [String] = {
        let folder = ProjectFile.corpora + "/sqlite-generated-corrupt"
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.filter { $0.hasSuffix(".db") }.sorted().map { folder + "/" + $0 }
    }()
}
