import Dispatch
import Foundation
package import HealthSyncDomain
package import HealthSyncPorts
import HealthSyncSupport
import Synchronization

/// A progress reporter that forwards every report and also writes it to a file for other processes, at intervals and
/// never on the caller's thread.
package final class SharedProgress: ProgressReporter {
    /// Calls a block after a delay, on a thread that may block.
    package typealias Timer = @Sendable (_ milliseconds: Int64, _ block: @escaping @Sendable () -> Void) -> Void

    private struct State {
        var phases: [RunProgress.Phase] = []
        /// Whether there is a report that is not yet in the file.
        var isNew = false
        var isTimerSet = false
        var isOver = false
    }

    private let reporter: any ProgressReporter
    private let file: ProgressFile
    private let time: any TimeSource
    private let timer: Timer
    private let state = Mutex(State())
    /// Held while the file is written, so that it is not written again after its removal.
    private let writing = Mutex(())

    /// The milliseconds between two writes and before the first: a shorter run writes no file.
    package static let interval: Int64 = 700

    /// Creates a reporter that forwards to `reporter` and writes to `file`.
    package init(
        _ reporter: any ProgressReporter, file: ProgressFile, time: any TimeSource, timer: @escaping Timer = onQueue()
    ) {
        self.reporter = reporter
        self.file = file
        self.time = time
        self.timer = timer
    }

    package func report(phase: String, done: Int64, total: Int64?) {
        reporter.report(phase: phase, done: done, total: total)
        note(RunProgress.Phase(name: phase, done: done, total: total))
    }

    package func report(phase: String, done: Int64, total: Int64?, detail: String) {
        reporter.report(phase: phase, done: done, total: total, detail: detail)
        note(RunProgress.Phase(name: phase, done: done, total: total, detail: detail))
    }

    /// Removes the file; later reports are only forwarded. Safe to repeat.
    package func finish() {
        state.withLock { $0.isOver = true }
        writing.withLock { _ in file.remove() }
    }

    private func note(_ phase: RunProgress.Phase) {
        let isTimerDue = state.withLock { state in
            guard !state.isOver else { return false }
            let index = state.phases.firstIndex { $0.name == phase.name }
            if phase.total.map({ phase.done >= $0 }) ?? false {
                if let index { state.phases.remove(at: index) }
            } else if let index {
                state.phases[index] = phase
            } else {
                state.phases.append(phase)
            }
            state.isNew = true
            defer { state.isTimerSet = true }
            return !state.isTimerSet
        }
        if isTimerDue { timer(Self.interval) { [self] in write() } }
    }

    private func write() {
        let wasNew = writing.withLock { _ in
            let phases: [RunProgress.Phase]? = state.withLock { state in
                guard !state.isOver, state.isNew else {
                    state.isTimerSet = false
                    return nil
                }
                state.isNew = false
                return state.phases
            }
            if let phases { file.write(RunProgress(updatedAt: time.now(), phases: phases)) }
            return phases != nil
        }
        if wasNew { timer(Self.interval) { [self] in write() } }
    }

    private static func onQueue() -> Timer {
        let queue = DispatchQueue(label: "healthsync.progress", qos: .utility)
        return { milliseconds, block in
            queue.asyncAfter(deadline: .now() + .milliseconds(Int(milliseconds)), execute: block)
        }
    }
}

/// The progress of the current run as the file `healthsync.progress` in the data folder, readable by its owner only.
/// Written by the run that holds the folder's lock, and replaced atomically.
package struct ProgressFile: Sendable {
    private let path: String

    /// Creates the progress file of the data folder `folder`.
    package init(folder: String) { path = (folder as NSString).appendingPathComponent("healthsync.progress") }

    /// Replaces the progress. It is for display only, so a failure is ignored. Blocks.
    package func write(_ progress: RunProgress) {
        guard let bytes = try? JSONEncoder().encode(progress) else { return }
        // After a crash there is no run.
        try? FileSystem.replaceBriefly(path, through: path + ".new", with: Array(bytes))
    }

    /// Returns the last progress; `nil` if it does not exist or cannot be decoded.
    package func read() -> RunProgress? {
        guard let bytes = try? PosixFiles().read(path, limit: 65_536) else { return nil }
        return try? JSONDecoder().decode(RunProgress.self, from: Data(bytes))
    }

    /// Removes the file. Safe to repeat.
    package func remove() { _ = try? FileSystem.delete(path) }
}

/// Detects a run by the lock of the data folder, and reads its progress from the progress file.
package struct DataFolderWatch: RunWatch {
    private let folder: String

    package init(folder: String) { self.folder = folder }

    package func activeRun() -> ActiveRun? {
        guard let since = RunLock.heldSince(inFolder: folder) else { return nil }
        // A progress file left by a killed run is older than the current run.
        let progress = ProgressFile(folder: folder).read().flatMap { $0.updatedAt >= since ? $0 : nil }
        return ActiveRun(since: since, progress: progress)
    }
}
