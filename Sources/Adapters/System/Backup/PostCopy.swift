import Foundation
import HealthSyncPorts

/// Copies the archives of posts of phones into a backup, while posts arrive and move between the folders of an archive.
struct PostCopy {
    let writer: BackupWriter
    let flag: CancellationFlag

    /// The folders of posts, in the order in which a post moves through them.
    private static let states = ["waiting", "decoded", "undecoded"]
    private static let outcomeSuffix = ".outcome"

    /// Copies the archive in `folder`, or with `isByUser` the archive of each user in it.
    func copy(_ folder: String, name: String, isByUser: Bool) throws {
        guard isByUser else { return try copyArchive(folder, name: name) }
        for user in Self.names(in: folder) where user != "healthsync.lock" {
            try copyArchive("\(folder)/\(user)", name: "\(name)/\(user)")
        }
    }

    private func copyArchive(_ folder: String, name: String) throws {
        // The mark of a pulled post that is not in the backup has no effect, but without its mark a post would be pulled
        // and imported twice.
        for mark in Self.names(in: folder + "/pulled") {
            _ = try writer.add("\(folder)/pulled/\(mark)", name: "\(name)/pulled/\(mark)", flag)
        }
        var copied: Set<String> = []
        // A post that moved while its folder was read is found in the next round.
        while try copyRound(folder, name: name, &copied) {}
    }

    /// Copies the posts that are not in `copied`. Returns whether there may be more.
    private func copyRound(_ folder: String, name: String, _ copied: inout Set<String>) throws -> Bool {
        var hasChanged = false
        for state in Self.states {
            for id in Self.names(in: "\(folder)/\(state)")
            where !id.hasSuffix(Self.outcomeSuffix) && !copied.contains(id) {
                hasChanged = true
                let path = "\(state)/\(id)"
                guard try writer.add("\(folder)/\(path)", name: "\(name)/\(path)", flag) else { continue }
                copied.insert(id)
                guard state != "waiting" else { continue }
                let outcome = path + Self.outcomeSuffix
                _ = try writer.add("\(folder)/\(outcome)", name: "\(name)/\(outcome)", flag)
            }
        }
        return hasChanged
    }

    /// Moves the waiting posts of the archives in `replaced` to those in `new`, unless these contain them.
    static func keepWaiting(of replaced: String, in new: String, isByUser: Bool) throws {
        guard isByUser else { return try keepWaiting(from: replaced, to: new) }
        for user in names(in: replaced) where user != "healthsync.lock" {
            try keepWaiting(from: "\(replaced)/\(user)", to: "\(new)/\(user)")
        }
    }

    private static func keepWaiting(from old: String, to new: String) throws {
        let posts = names(in: old + "/waiting")
        guard !posts.isEmpty else { return }
        try PosixFiles().makePrivateFolder(new + "/waiting")
        let restored = Set(states.flatMap { names(in: "\(new)/\($0)") })
        for post in posts where !restored.contains(post) {
            try RestoreFiles.move("\(old)/waiting/\(post)", to: "\(new)/waiting/\(post)")
        }
        try RestoreFiles.sync(new + "/waiting")
    }

    /// Returns the names in a folder, sorted, without hidden ones; none if it does not exist.
    static func names(in folder: String) -> [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.filter { !$0.hasPrefix(".") }.sorted()
    }
}
