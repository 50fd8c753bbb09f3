import Dispatch
import Foundation
import Synchronization

/// The handling of Ctrl-C and `kill`.
package enum InterruptSignals {
    /// The exit status of an interrupted command.
    package static let exitStatus: Int32 = 130

    // A signal handler may use little more than atomics and `write`; Dispatch's signal sources lose a signal that
    // arrives during their setup.
    private static let count = Atomic<Int>(0)
    private static let wakeUp = Atomic<Int32>(-1)

    /// Makes a write to a closed pipe or socket an error instead of ending the process. Call it at start.
    package static func ignoreBrokenPipes() { _ = signal(SIGPIPE, SIG_IGN) }

    /// Runs `body`; the first SIGINT or SIGTERM cancels it and calls `onFirst`, a second one ends the process
    /// immediately with status 130. Returns or throws the result of `body`, so that it can finish the current
    /// transaction. Afterwards the previous handlers are restored. Calls must not overlap.
    package static func cancelling<Result: Sendable>(
        onFirst: @escaping @Sendable () -> Void, _ body: @escaping @Sendable () async throws -> Result
    ) async throws -> Result {
        let (interrupted, continuation) = AsyncStream.makeStream(of: Void.self)
        let stop = watch {
            onFirst()
            continuation.finish()
        }
        defer { stop() }
        return try await withThrowingTaskGroup(of: Result?.self) { group in
            group.addTask { try await body() }
            group.addTask {
                for await _ in interrupted {}
                return nil
            }
            while let end = try await group.next() {
                group.cancelAll()
                if let result = end { return result }
            }
            throw CancellationError()
        }
    }

    private static func watch(_ onFirst: @escaping @Sendable () -> Void) -> () -> Void {
        let pipe = Pipe()
        count.store(0, ordering: .relaxed)
        wakeUp.store(pipe.fileHandleForWriting.fileDescriptor, ordering: .relaxed)
        let source = DispatchSource.makeReadSource(
            fileDescriptor: pipe.fileHandleForReading.fileDescriptor, queue: .global(qos: .userInitiated))
        source.setEventHandler {
            source.cancel()
            onFirst()
        }
        // Dispatch uses the descriptor until the cancellation completes; only then may it be closed.
        source.setCancelHandler { withExtendedLifetime(pipe) {} }
        source.resume()
        let numbers = [SIGINT, SIGTERM]
        let former = numbers.map { signal($0, received) }
        return {
            for (number, handler) in zip(numbers, former) { _ = signal(number, handler) }
            wakeUp.store(-1, ordering: .relaxed)
            source.cancel()
        }
    }

    private static let received: @convention(c) (Int32) -> Void = { _ in
        guard count.add(1, ordering: .relaxed).oldValue == 0 else { _exit(exitStatus) }
        SignalPipe.wake(wakeUp.load(ordering: .relaxed))
    }
}
