import Foundation
import HealthSyncDomain
package import HealthSyncPorts
import HealthSyncSupport

/// The exclusive right to write in a data folder: a lock on the file `healthsync.lock`, which the kernel releases when
/// the process ends for any reason. The file remains and names the last holder.
package final class RunLock: Sendable {
    private let file: OpenFile

    private init(_ file: OpenFile) { self.file = file }

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
        let file: OpenFile
        let deadline = time.now().advanced(byMilliseconds: max(0, waitMilliseconds))
        do {
            file = try OpenFile(creating: path, ifExists: .open)
            while try !file.lock() {
                let left = deadline.milliseconds - time.now().milliseconds
                guard left > 0 else { throw busy(path, holder: contents(of: file)) }
                try await time.wait(milliseconds: min(left, 50))
            }
        } catch let error as SystemError {
            throw cannotLock(path, error)
        }
        note("\(getpid())\n\(command)\n\(RFC3339.string(time.now()))\n", in: file)
        return RunLock(file)
    }

    /// Releases the lock. Safe to repeat.
    package func release() { try? file.close() }

    /// Returns since when a run holds the lock of `folder`; `nil` if none does. It briefly requests a shared lock, so
    /// call it only if a run is likely: a run that starts at that moment finds the lock held, and tries again if it may
    /// wait.
    static func heldSince(inFolder folder: String) -> Instant? {
        guard let file = try? OpenFile(reading: path(inFolder: folder), followsLinks: false),
            (try? file.lock(isShared: true)) == false
        else { return nil }
        let holder = contents(of: file)
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
    private static func note(_ text: String, in file: OpenFile) {
        try? file.truncate(to: 0)
        try? file.write(Array(text.utf8), at: 0)
    }

    private static func contents(of file: OpenFile) -> [Substring] {
        let bytes = (try? file.read(upTo: 4_096)) ?? []
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n")
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

    private static func cannotLock(_ path: String, _ error: SystemError) -> SyncFailure {
        SyncFailure(
            .cannotCreate, subject: path, reason: "cannot be locked: \(error.text)",
            advice: "check that its folder is writable and on a local disk")
    }
}
