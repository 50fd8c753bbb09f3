import Foundation
import HealthSyncDomain
package import HealthSyncPorts
import Synchronization

/// The exclusive right to write in a data folder: a lock on the file `healthsync.lock`, which the kernel releases when
/// the process ends for any reason. The file remains and names the last holder.
package final class RunLock: Sendable {
    private let descriptor: Mutex<Int32?>

    private init(descriptor: Int32) { self.descriptor = Mutex(descriptor) }

    deinit { release() }

    /// Acquires the lock of `folder`, which is created (0700) if it is missing.
    ///
    /// - Parameters:
    ///   - folder: The data folder.
    ///   - command: The command of this run, which other runs report if they find the lock held.
    ///   - waitMilliseconds: How long to wait for another run; 0 tries once.
    ///   - time: The clock for the wait and the timestamp of the lock.
    /// - Throws: `SyncFailure` with `.busy`, which names the holder, if the lock is still held after the wait; with
    ///   `.cannotCreate` if the file cannot be created; `CancellationError` while waiting.
    package static func acquire(
        inFolder folder: String, command: String = currentCommand(), waitMilliseconds: Int64, time: any TimeSource
    ) async throws -> RunLock {
        try PosixFiles().makePrivateFolder(folder)
        let path = path(inFolder: folder)
        let descriptor = unsafe open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw cannotLock(path, errno) }
        let deadline = time.now().advanced(byMilliseconds: max(0, waitMilliseconds))
        do {
            while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
                guard errno == EWOULDBLOCK || errno == EINTR else { throw cannotLock(path, errno) }
                let left = deadline.milliseconds - time.now().milliseconds
                guard left > 0 else { throw busy(path, holder: contents(of: descriptor)) }
                try await time.wait(milliseconds: min(left, 50))
            }
        } catch {
            close(descriptor)
            throw error
        }
        note("\(getpid())\n\(command)\n\(RFC3339.string(time.now()))\n", in: descriptor)
        return RunLock(descriptor: descriptor)
    }

    /// Releases the lock. Safe to repeat.
    package func release() {
        descriptor.withLock { descriptor in
            if let open = descriptor {
                // A child process that has not yet reached `exec` holds a copy of the descriptor, and with it the lock.
                flock(open, LOCK_UN)
                close(open)
            }
            descriptor = nil
        }
    }

    /// Returns since when a run holds the lock of `folder`; `nil` if none does. It briefly requests a shared lock, so
    /// call it only if a run is likely: a run that starts at that moment finds the lock held, and tries again if it may
    /// wait.
    static func heldSince(inFolder folder: String) -> Instant? {
        let descriptor = unsafe open(path(inFolder: folder), O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        guard flock(descriptor, LOCK_SH | LOCK_NB) != 0, errno == EWOULDBLOCK else { return nil }
        let holder = contents(of: descriptor)
        // On a full disk a run cannot record its start time.
        return holder.count == 3 ? RFC3339.instant(holder[2]) : Instant(milliseconds: .min)
    }

    private static func path(inFolder folder: String) -> String {
        (folder as NSString).appendingPathComponent("healthsync.lock")
    }

    /// Returns the command of this process: its first argument that is not an option.
    private static func currentCommand() -> String {
        ProcessInfo.processInfo.arguments.dropFirst().first { !$0.hasPrefix("-") } ?? "healthsync"
    }

    /// Records the holder for display only; a full disk must not prevent a run.
    private static func note(_ text: String, in descriptor: Int32) {
        guard ftruncate(descriptor, 0) == 0 else { return }
        let bytes = Array(text.utf8)
        _ = unsafe bytes.withUnsafeBytes { unsafe pwrite(descriptor, $0.baseAddress, $0.count, 0) }
    }

    private static func contents(of descriptor: Int32) -> [Substring] {
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = unsafe bytes.withUnsafeMutableBytes { unsafe pread(descriptor, $0.baseAddress, $0.count, 0) }
        return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self).split(separator: "\n")
    }

    private static func busy(_ path: String, holder: [Substring]) -> SyncFailure {
        guard holder.count == 3 else {
            return SyncFailure(
                .busy, subject: path, reason: "another run is in progress", advice: "try again when it has finished")
        }
        return SyncFailure(
            .busy, subject: path,
            reason: "another run is in progress (\(holder[1]), process \(holder[0]), since \(holder[2]))",
            advice: "try again when it has finished")
    }

    private static func cannotLock(_ path: String, _ code: Int32) -> SyncFailure {
        SyncFailure(
            .cannotCreate, subject: path, reason: "cannot be locked: \(SystemError.text(code))",
            advice: "check that its folder is writable and on a local disk")
    }
}
