import Dispatch
import Foundation

/// SIGHUP, which asks a server to read its configuration again instead of ending the process. The former handling returns
/// with the end of this value.
package final class HangupSignals {
    /// An element for each signal; several that arrive at once may be one.
    package let events: AsyncStream<Void>
    private let source: any DispatchSourceSignal
    private let continuation: AsyncStream<Void>.Continuation

    /// Starts to receive the signal.
    package init() {
        (events, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        _ = signal(SIGHUP, SIG_IGN)
        source = DispatchSource.makeSignalSource(signal: SIGHUP, queue: .global())
        source.setEventHandler { [continuation] in continuation.yield() }
        source.resume()
    }

    deinit {
        source.cancel()
        continuation.finish()
        _ = signal(SIGHUP, SIG_DFL)
    }
}
