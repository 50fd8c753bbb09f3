import Foundation

/// Threads for what blocks: those of the tasks are few, and what is tested needs them too.
package enum BlockingThread {
    package static func run<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread { continuation.resume(with: Result { try body() }) }
        }
    }
}
