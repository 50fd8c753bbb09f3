import Foundation

/// Names of files and folders. What these functions change is durable when they return, unless they say otherwise.
package enum FileSystem {
    /// The folder of `path`; empty for a name in the current folder.
    package static func folder(of path: String) -> String { (path as NSString).deletingLastPathComponent }

    /// Creates a folder (0700) and its missing parents; does nothing if it exists. Throws `ENOTDIR` if something else does.
    package static func makeFolder(_ path: String) throws(SystemError) {
        if (try? FileDetails(of: path))?.isFolder == true { return }
        let parent = folder(of: path)
        if !parent.isEmpty, parent != path { try makeFolder(parent) }
        if unsafe mkdir(path, 0o700) == 0 { return try syncFolder(parent) }
        let error = SystemError.last
        guard error.code == EEXIST else { throw error }
        // Another process may have created it meanwhile.
        guard (try? FileDetails(of: path))?.isFolder == true else { throw SystemError(ENOTDIR) }
    }

    /// Makes the names in a folder durable. Does nothing for a folder that is writable but not readable, and on file systems
    /// that cannot sync a folder (`EINVAL`).
    package static func syncFolder(_ path: String) throws(SystemError) {
        do throws(SystemError) { try OpenFile(folder: path).sync() } catch {
            guard [EACCES, EINVAL].contains(error.code) else { throw error }
        }
    }

    /// Renames a file or folder within a file system, in place of what is there. Syncs no folder.
    package static func move(_ path: String, to target: String) throws(SystemError) {
        guard unsafe rename(path, target) == 0 else { throw .last }
    }

    /// Deletes a file; returns `false` if it does not exist. Syncs no folder.
    @discardableResult
    package static func delete(_ path: String) throws(SystemError) -> Bool {
        if unsafe unlink(path) == 0 { return true }
        guard SystemError.last.isMissing else { throw .last }
        return false
    }

    /// Calls `body` with every name in a folder but those that begin with a dot, in any order; with none if the folder does
    /// not exist. The names of a folder with a million files are not in memory at once.
    package static func forEachName(in folder: String, _ body: (String) -> Void) throws(SystemError) {
        guard let stream = unsafe opendir(folder) else {
            guard SystemError.last.code == ENOENT else { throw .last }
            return
        }
        defer { unsafe closedir(stream) }
        while let entry = unsafe readdir(stream) {
            let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { name in
                unsafe name.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
            }
            if name.utf8.first != UInt8(ascii: ".") { body(name) }
        }
    }

    /// The size of a file in bytes; 0 if it does not exist.
    package static func size(of path: String) -> Int64 { (try? FileDetails(of: path))?.size ?? 0 }

    /// Writes a file (0600) in place of an existing one: after a crash it has the former or the new content.
    package static func replace(_ path: String, with bytes: [UInt8]) throws(SystemError) {
        let draft = try FileDraft(of: path)
        try draft.file.write(bytes)
        try draft.replaceTarget()
    }

    /// Writes a file (0600) in place of an existing one, for other processes to read. After a crash it may be damaged.
    package static func replaceBriefly(_ path: String, through draft: String, with bytes: [UInt8]) throws(SystemError) {
        do throws(SystemError) {
            let file = try OpenFile(creating: draft, ifExists: .truncate)
            try file.write(bytes)
            try file.close()
            try move(draft, to: path)
        } catch {
            _ = try? delete(draft)
            throw error
        }
    }

    /// Creates a file (0600); returns `false` and changes nothing if it exists. After a crash it is complete or missing.
    package static func create(_ path: String, with bytes: [UInt8]) throws(SystemError) -> Bool {
        let draft = try FileDraft(of: path)
        try draft.file.write(bytes)
        return try draft.createTarget()
    }
}

/// A hidden file (0600) in the folder of its target, in which the content is written before it gets its name.
///
/// A draft is locked while its writer lives, and the kernel releases the lock when the process ends for any reason. So an
/// unlocked draft was left by a killed process, and the next writer of the same file deletes it.
package final class FileDraft: Sendable {
    /// The path of the draft.
    package let path: String
    /// Open for reading and writing.
    package let file: OpenFile
    private let target: String

    private static let suffix = ".new"

    /// Creates an empty draft of `target`, and deletes those that killed processes left.
    package init(of target: String) throws(SystemError) {
        let stem = Self.stem(of: target)
        Self.removeAbandoned(stem)
        self.target = target
        path = "\(stem)\(getpid())\(Self.suffix)"
        file = try Self.lockedFile(path)
    }

    deinit { discard() }

    /// Creates and locks a file.
    package static func lockedFile(_ path: String) throws(SystemError) -> OpenFile {
        while true {
            let file = try OpenFile(creating: path, ifExists: .fail)
            // Another process may have locked and deleted the file between the two calls.
            if try file.lock(), try file.details().hasName { return file }
        }
    }

    /// Deletes a file that its writer locks while it lives, if that has ended.
    package static func removeIfAbandoned(_ path: String) {
        // Open for writing, because NFS locks only such a file.
        guard let file = try? OpenFile(changing: path), (try? file.lock()) == true,
            // Meanwhile its writer may have given it its name, and begun another one.
            let own = try? file.details(), let named = try? FileDetails(of: path, followsLinks: false),
            own.isSameFile(as: named)
        else { return }
        _ = try? FileSystem.delete(path)
    }

    /// Makes the content durable and gives it the name of the target, in place of an existing file.
    package func replaceTarget() throws(SystemError) {
        try finish()
        try FileSystem.move(path, to: target)
        try? file.close()
        try FileSystem.syncFolder(FileSystem.folder(of: target))
    }

    /// Makes the content durable and gives it the name of the target; returns `false` and changes nothing if that exists.
    package func createTarget() throws(SystemError) -> Bool {
        try finish()
        // Unlike `rename`, `link` does not replace a file: only one of two processes creates it, and both know which.
        if unsafe link(path, target) != 0 {
            let error = SystemError.last
            if error.code == EEXIST { return false }
            // On a file system without links, a race between two processes is the lesser evil.
            guard [EPERM, EOPNOTSUPP, ENOSYS].contains(error.code) else { throw error }
            if FileDetails.exist(target) { return false }
            try FileSystem.move(path, to: target)
        }
        discard()
        try FileSystem.syncFolder(FileSystem.folder(of: target))
        return true
    }

    private func finish() throws(SystemError) {
        try file.makePrivate()
        try file.sync()
    }

    /// Deletes the draft; does nothing after it got its name. Safe to repeat.
    package func discard() {
        guard (try? file.details()) != nil else { return }
        _ = try? FileSystem.delete(path)
        try? file.close()
    }

    private static func stem(of target: String) -> String {
        let name = (target as NSString).lastPathComponent
        let folder = FileSystem.folder(of: target)
        return folder.isEmpty ? ".\(name)." : "\(folder)/.\(name)."
    }

    private static func removeAbandoned(_ stem: String) {
        let prefix = (stem as NSString).lastPathComponent
        let folder = FileSystem.folder(of: stem)
        // A folder that cannot be listed may still be writable.
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.isEmpty ? "." : folder)) ?? []
        for name in names where name.hasPrefix(prefix) && name.hasSuffix(suffix) {
            let number = name.dropFirst(prefix.count).dropLast(suffix.count)
            guard !number.isEmpty, number.allSatisfy({ $0.isASCII && $0.isNumber }) else { continue }
            removeIfAbandoned(folder.isEmpty ? name : "\(folder)/\(name)")
        }
    }
}
