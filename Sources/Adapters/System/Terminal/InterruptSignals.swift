import Dispatch
import Foundation
import Synchronization

/// What Ctrl-C and `kill` do to a command.
package enum InterruptSignals {
    /// The exit status of an interrupted command.
    package static let exitStatus: Int32 = 130

    // A signal handler may touch little more than atomics and `write`; Dispatch's own signal sources lose a signal that
    // comes while they are being set up.
    private static let count = Atomic<Int>(0)
    private static let wakeUp = Atomic<Int32>(-1)

    /// Makes writing to a closed pipe or socket an error that is handled where it occurs, instead of the death of the
    /// process. To be called at start.
    package static func ignoreBrokenPipes() { _ = signal(SIGPIPE, SIG_IGN) }

    /// Runs `body`; the first SIGINT or SIGTERM cancels it and calls `onFirst`, a second one ends the process at once
    /// with status 130. Returns or throws what `body` does, so that it can finish the transaction in hand. Afterwards
    /// the signals do what they did before. Not to be called again before it has returned.
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
        // Dispatch watches the descriptor until the cancellation is through; only then may it be closed.
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
        let descriptor = wakeUp.load(ordering: .relaxed)
        let code = errno
        var byte: UInt8 = 1
        if descriptor >= 0 { _ = unsafe write(descriptor, &byte, 1) }
        errno = code
    }
}
