import Foundation
import HealthSyncSystem
import Testing

@Suite("Interrupts", .serialized)
struct InterruptTests {
    @Test("The first signal cancels the work, which may still finish", arguments: [SIGINT, SIGTERM])
    func firstSignal(number: Int32) async throws {
        let (notices, continuation) = AsyncStream.makeStream(of: String.self)
        let result = try await InterruptSignals.cancelling(onFirst: { continuation.yield("interrupted") }) {
            kill(getpid(), number)
            do {
                try await Task.sleep(for: .seconds(60))
                return "not cancelled"
            } catch {
                return "finished after cancellation"
            }
        }
        #expect(result == "finished after cancellation")
        continuation.finish()
        #expect(await notices.first { _ in true } == "interrupted")
    }

    @Test("Without a signal the result and the error of the work come through")
    func noSignal() async throws {
        #expect(try await InterruptSignals.cancelling(onFirst: {}) { 7 } == 7)
        await #expect(throws: CocoaError.self) {
            try await InterruptSignals.cancelling(onFirst: {}) { throw CocoaError(.fileNoSuchFile) }
        }
    }
}
