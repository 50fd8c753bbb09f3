import Dispatch
import HealthSyncDomain
package import HealthSyncPorts
import Synchronization

/// Progress that other processes can see too: passes every report on and writes where the work stands into a file, at
/// most once in a while and never on the caller's thread.
package final class SharedProgress: ProgressReporter {
    /// Calls a block after that many milliseconds, on a thread that may block.
    package typealias Timer = @Sendable (_ milliseconds: Int64, _ block: @escaping @Sendable () -> Void) -> Void

    private struct State {
        var phases: [RunProgress.Phase] = []
        /// Whether something was reported that the file does not tell.
        var isNew = false
        var isTimerSet = false
        var isOver = false
    }

    private let reporter: any ProgressReporter
    private let file: ProgressFile
    private let time: any TimeSource
    private let timer: Timer
    private let state = Mutex(State())
    /// Held while the file is changed, so that none is written after the last one was removed.
    private let writing = Mutex(())

    /// Milliseconds between two writes, and before the first: a run that is over sooner writes none.
    package static let interval: Int64 = 700

    /// The same as `reporter`, and `file`.
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

    /// Ends it: the file is removed, and later reports are passed on alone. Safe to repeat.
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
