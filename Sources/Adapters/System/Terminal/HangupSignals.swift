import Dispatch
import Foundation
import Synchronization

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
