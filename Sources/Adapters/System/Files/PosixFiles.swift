import Foundation
package import HealthSyncDomain
package import HealthSyncPorts

/// Files accessed by POSIX calls, because Foundation crashes or hides the reason on some errors.
package struct PosixFiles: LocalFiles {
    package init() {}

    package func status(of path: String) throws(SyncFailure) -> LocalFileStatus? {
        var details = stat()
        guard unsafe stat(path, &details) == 0 else {
            if errno == ENOENT || errno == ENOTDIR { return nil }
            throw Self.unreadable(path, errno)
        }
        return LocalFileStatus(
            isFolder: details.st_mode & S_IFMT == S_IFDIR, size: Int64(details.st_size),
            permissions: UInt32(details.st_mode & 0o7777))
    }

    package func read(_ path: String, limit: Int) throws(SyncFailure) -> [UInt8] {
        // Without O_NONBLOCK, opening a FIFO without a writer would block forever.
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw Self.unreadable(path, errno) }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 65_536)
        while bytes.count <= limit {
            let count = unsafe Foundation.read(descriptor, &chunk, chunk.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw Self.unreadable(path, errno) }
            if count == 0 { return bytes }
            bytes.append(contentsOf: chunk.prefix(count))
        }
        throw SyncFailure(
            .noInput, subject: path, reason: "is larger than \(limit) bytes", advice: "check the path")
    }

    package func makePrivateFolder(_ path: String) throws(SyncFailure) {
        if try status(of: path)?.isFolder == true { return }
        let parent = (path as NSString).deletingLastPathComponent
        if parent != path, !parent.isEmpty { try makePrivateFolder(parent) }
        guard unsafe mkdir(path, 0o700) == 0 || errno == EEXIST else { throw Self.cannotCreate(path, errno) }
        guard try status(of: path)?.isFolder == true else { throw Self.cannotCreate(path, ENOTDIR) }
    }

    package func makePrivateFile(_ path: String, _ bytes: [UInt8]) throws(SyncFailure) -> Bool {
        let draft = try draft(of: path, bytes)
        defer {
            close(draft.descriptor)
            _ = unsafe unlink(draft.path)
        }
        return try putInPlace(draft.path, as: path)
    }

    /// Writes a file (0600) atomically, in place of an existing one. Throws `.cannotCreate`.
    package func replacePrivateFile(_ path: String, _ bytes: [UInt8]) throws(SyncFailure) {
        // A link stays, and the file that it names is replaced.
        let path = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
        let draft = try draft(of: path, bytes)
        defer { close(draft.descriptor) }
        guard unsafe rename(draft.path, path) == 0 else {
            let code = errno
            _ = unsafe unlink(draft.path)
            throw Self.cannotCreate(path, code)
        }
        try Self.makeNamesDurable(in: (path as NSString).deletingLastPathComponent)
    }

    /// Deletes a file; does nothing if it does not exist. Throws `.cannotCreate`.
    package func deleteFile(_ path: String) throws(SyncFailure) {
        guard unsafe unlink(path) == 0 || errno == ENOENT || errno == ENOTDIR else {
            throw SyncFailure(
                .cannotCreate, subject: path, reason: "cannot be deleted: \(SystemError.text(errno))",
                advice: "check the permissions of its folder")
        }
    }

    /// Returns the names in a folder, in any order; none if it does not exist. Throws `.noInput` if it is unreadable.
    package func names(in folder: String) throws(SyncFailure) -> [String] {
        guard try status(of: folder) != nil else { return [] }
        guard let stream = unsafe opendir(folder) else { throw Self.unreadable(folder, errno) }
        defer { unsafe closedir(stream) }
        var names: [String] = []
        while let entry = unsafe readdir(stream) {
            let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                unsafe pointer.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names
    }

    /// Writes a complete draft of `path`.
    private func draft(of path: String, _ bytes: [UInt8]) throws(SyncFailure) -> LocalDraft {
        let draft = try createDraft(of: path)
        var code = DescriptorWriter.write(bytes, to: draft.descriptor)
        if code == 0, fchmod(draft.descriptor, 0o600) != 0 || fsync(draft.descriptor) != 0 { code = errno }
        guard code == 0 else {
            close(draft.descriptor)
            _ = unsafe unlink(draft.path)
            throw Self.cannotCreate(path, code)
        }
        return draft
    }

    package func createDraft(of path: String) throws(SyncFailure) -> LocalDraft {
        do throws(DraftFiles.PosixError) { return try DraftFiles.create(for: path) } catch {
            throw Self.cannotCreate(path, error.code)
        }
    }

    package func putInPlace(_ draft: String, as path: String) throws(SyncFailure) -> Bool {
        // Unlike `rename`, `link` does not replace a file: only one of two processes creates it, and both know which.
        if unsafe link(draft, path) == 0 {
            _ = unsafe unlink(draft)
        } else {
            let code = errno
            if code == EEXIST { return false }
            // On a file system without links, a race between two processes is the lesser evil.
            guard [EPERM, EOPNOTSUPP, ENOSYS].contains(code) else { throw Self.cannotCreate(path, code) }
            var details = stat()
            if unsafe lstat(path, &details) == 0 { return false }
            guard unsafe rename(draft, path) == 0 else { throw Self.cannotCreate(path, errno) }
        }
        try Self.makeNamesDurable(in: (path as NSString).deletingLastPathComponent)
        return true
    }

    private static func makeNamesDurable(in folder: String) throws(SyncFailure) {
        let descriptor = unsafe open(folder.isEmpty ? "." : folder, O_RDONLY | O_CLOEXEC)
        // A folder may be writable without being readable.
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        // Some file systems cannot sync a folder and return EINVAL; the file itself is already durable.
        guard fsync(descriptor) == 0 || errno == EINVAL else { throw cannotCreate(folder, errno) }
    }

    package func isWritable(_ path: String) -> Bool { unsafe access(path, W_OK | X_OK) == 0 }

    package func freeBytes(at path: String) -> Int64? {
        var volume = statvfs()
        guard unsafe statvfs(path, &volume) == 0 else { return nil }
        let (bytes, overflow) = Int64(clamping: volume.f_bavail)
            .multipliedReportingOverflow(by: Int64(clamping: volume.f_frsize))
        return overflow ? .max : bytes
    }

    private static func unreadable(_ path: String, _ code: Int32) -> SyncFailure {
        SyncFailure(
            .noInput, subject: path, reason: "cannot be read: \(SystemError.text(code))",
            advice: code == ENOENT ? "check the path" : "check the path and its permissions")
    }

    private static func cannotCreate(_ path: String, _ code: Int32) -> SyncFailure {
        SyncFailure(
            .cannotCreate, subject: path, reason: "cannot be created: \(SystemError.text(code))",
            advice: code == ENOSPC ? "free some space on the disk" : "choose a writable folder")
    }
}

/// Drafts: hidden files in which a file is written before it gets its name.
///
/// A draft is locked while its writer lives, and the kernel releases the lock when the process ends for any reason. So an
/// unlocked draft was left by a killed process, and the next writer of the same file deletes it.
private enum DraftFiles {
    /// Creates a draft of `path` (0600). The error is an `errno`.
    static func create(for path: String) throws(PosixError) -> LocalDraft {
        removeAbandoned(for: path)
        let draft = "\(stem(of: path))\(getpid())\(suffix)"
        while true {
            let descriptor = unsafe open(draft, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
            guard descriptor >= 0 else { throw PosixError(code: errno) }
            var details = stat()
            // Another writer may have locked and deleted the draft between the two calls.
            if flock(descriptor, LOCK_EX | LOCK_NB) == 0, unsafe fstat(descriptor, &details) == 0, details.st_nlink > 0
            {
                return LocalDraft(path: draft, descriptor: descriptor)
            }
            close(descriptor)
        }
    }

    /// The error of a system call.
    struct PosixError: Error {
        let code: Int32
    }

    private static let suffix = ".new"

    private static func stem(of path: String) -> String {
        let name = (path as NSString).lastPathComponent
        return (path as NSString).deletingLastPathComponent.isEmpty
            ? ".\(name)." : "\((path as NSString).deletingLastPathComponent)/.\(name)."
    }

    private static func removeAbandoned(for path: String) {
        let stem = stem(of: path)
        let prefix = (stem as NSString).lastPathComponent
        let folder = (stem as NSString).deletingLastPathComponent
        // A folder that cannot be listed may still be writable.
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.isEmpty ? "." : folder)) ?? []
        for name in names where name.hasPrefix(prefix) && name.hasSuffix(suffix) {
            let number = name.dropFirst(prefix.count).dropLast(suffix.count)
            guard !number.isEmpty, number.allSatisfy({ $0.isASCII && $0.isNumber }) else { continue }
            let draft = folder.isEmpty ? name : "\(folder)/\(name)"
            let descriptor = unsafe open(draft, O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
            guard descriptor >= 0 else { continue }
            if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { _ = unsafe unlink(draft) }
            close(descriptor)
        }
    }
}
