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

/// Wakes a thread from a signal handler.
private enum SignalPipe {
    /// Writes a byte to the pipe `descriptor`, unless it is negative. A signal handler may use little more than atomics and
    /// `write`.
    static func wake(_ descriptor: Int32) {
        let code = errno
        var byte: UInt8 = 1
        if descriptor >= 0 { _ = unsafe write(descriptor, &byte, 1) }
        errno = code
    }
}

/// SIGHUP, which asks a server to read its configuration again instead of ending the process. The former handling returns
/// with the end of this value; there is one at a time.
package final class HangupSignals {
    /// An element for each signal since `init`; several that arrive at once may be one.
    package let events: AsyncStream<Void>
    private let source: any DispatchSourceRead
    private let continuation: AsyncStream<Void>.Continuation

    // A pipe keeps a signal that arrives before Dispatch observes it; Dispatch's signal sources lose it.
    private static let wakeUp = Atomic<Int32>(-1)

    /// Starts to receive the signal.
    package init() {
        (events, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let pipe = Pipe()
        let reading = pipe.fileHandleForReading.fileDescriptor
        let writing = pipe.fileHandleForWriting.fileDescriptor
        // A full pipe already states the signal, and an empty one is read no further.
        for end in [reading, writing] { _ = fcntl(end, F_SETFL, fcntl(end, F_GETFL) | O_NONBLOCK) }
        Self.wakeUp.store(writing, ordering: .relaxed)
        source = DispatchSource.makeReadSource(fileDescriptor: reading, queue: .global())
        source.setEventHandler { [continuation] in
            var bytes = [UInt8](repeating: 0, count: 64)
            _ = unsafe read(reading, &bytes, bytes.count)
            continuation.yield()
        }
        // Dispatch uses the descriptor until the cancellation completes; only then may it be closed.
        source.setCancelHandler { withExtendedLifetime(pipe) {} }
        source.resume()
        _ = signal(SIGHUP, Self.received)
    }

    deinit {
        _ = signal(SIGHUP, SIG_DFL)
        Self.wakeUp.store(-1, ordering: .relaxed)
        source.cancel()
        continuation.finish()
    }

    private static let received: @convention(c) (Int32) -> Void = { _ in
        SignalPipe.wake(wakeUp.load(ordering: .relaxed))
    }
}
