import Foundation
import HealthSyncDomain
import HealthSyncPorts

/// Drafts: hidden files in which a file is written before it gets its name.
///
/// A draft is locked while its writer lives, and the kernel releases the lock when the process ends for any reason. So an
/// unlocked draft was left by a killed process, and the next writer of the same file deletes it.
enum DraftFiles {
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
