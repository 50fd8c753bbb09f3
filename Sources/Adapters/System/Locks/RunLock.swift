import Foundation
import HealthSyncDomain
package import HealthSyncPorts
import Synchronization

/// The right to be the one run that writes in a data folder. Held by a lock on the file `healthsync.lock`, which the
/// kernel lets go when the process ends, however it ends; the file itself stays and says who held it last.
package final class RunLock: Sendable {
    private let descriptor: Mutex<Int32?>

    private init(descriptor: Int32) { self.descriptor = Mutex(descriptor) }

    deinit { release() }

    /// Takes the lock of `folder`, which is made (0700) where it is missing.
    ///
    /// - Parameters:
    ///   - folder: the data folder.
    ///   - command: what the run does, told to others that find the lock held.
    ///   - waitMilliseconds: how long to wait for another run; 0 asks once.
    ///   - time: dates the lock and waits.
    /// - Throws: `SyncFailure` with `.busy`, naming the holder, when the wait was not long enough; with `.cannotCreate`
    ///   when the file cannot be made; `CancellationError` while waiting.
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

    /// Lets another run begin. Safe to repeat.
    package func release() {
        descriptor.withLock { descriptor in
            if let open = descriptor { close(open) }
            descriptor = nil
        }
    }

    /// Since when a run holds the lock of `folder`; `nil` when none does. Looks by asking for a share of the lock for a
    /// moment, so it is asked only where something speaks for a run; one that begins in just that moment finds it taken
    /// and asks again, if it may wait.
    static func heldSince(inFolder folder: String) -> Instant? {
        let descriptor = unsafe open(path(inFolder: folder), O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        guard flock(descriptor, LOCK_SH | LOCK_NB) != 0, errno == EWOULDBLOCK else { return nil }
        let holder = contents(of: descriptor)
        // A run on a full disk could not note when it began.
        return holder.count == 3 ? RFC3339.instant(holder[2]) : Instant(milliseconds: .min)
    }

    private static func path(inFolder folder: String) -> String {
        (folder as NSString).appendingPathComponent("healthsync.lock")
    }

    /// The command of this process: its first argument that is no option.
    package static func currentCommand() -> String {
        ProcessInfo.processInfo.arguments.dropFirst().first { !$0.hasPrefix("-") } ?? "healthsync"
    }

    /// What is noted serves people only; a full disk must not keep a run from starting.
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
                .busy, subject: path, reason: "another run is at work", advice: "run this again when it is done")
        }
        return SyncFailure(
            .busy, subject: path,
            reason: "another run is at work (\(holder[1]), process \(holder[0]), since \(holder[2]))",
            advice: "run this again when it is done")
    }

    private static func cannotLock(_ path: String, _ code: Int32) -> SyncFailure {
        SyncFailure(
            .cannotCreate, subject: path, reason: "it cannot be locked (\(SystemError.text(code)))",
            advice: "check that you may write in its folder, and that it lies on a local disk")
    }
}
