import Foundation

/// Runs blocking calls on separate threads, because the cooperative pool is small and the tested code needs it.
package enum BlockingThread {
    package static func run<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread { continuation.resume(with: Result { try body() }) }
        }
    }
}
