import Foundation
import HealthSyncSystem
import Testing

@Suite("Interrupts", .serialized, .timeLimit(.minutes(20)))
struct InterruptTests {
    @Test("The first signal cancels the work, which may still finish", arguments: [SIGINT, SIGTERM])
    func firstSignal(number: Int32) async throws {
        let (notices, continuation) = AsyncStream.makeStream(of: String.self)
        let result = try await InterruptSignals.cancelling(onFirst: { continuation.yield("interrupted") }) {
            // Nothing is ever written: only cancellation ends the wait.
            let (silence, holder) = AsyncStream.makeStream(of: Never.self)
            defer { holder.finish() }
            kill(getpid(), number)
            for await _ in silence {}
            return Task.isCancelled ? "finished after cancellation" : "not cancelled"
        }
        #expect(result == "finished after cancellation")
        continuation.finish()
        #expect(await notices.first { _ in true } == "interrupted")
    }

    @Test("Without a signal the result or the error of the work is returned")
    func noSignal() async throws {
        #expect(try await InterruptSignals.cancelling(onFirst: {}) { 7 } == 7)
        await #expect(throws: CocoaError.self) {
            try await InterruptSignals.cancelling(onFirst: {}) { throw CocoaError(.fileNoSuchFile) }
        }
    }
}
