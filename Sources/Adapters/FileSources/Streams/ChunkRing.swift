import Dispatch
import Synchronization

/// Passes a fixed number of chunks between one producing and one consuming thread. Each chunk is on one side at a time;
/// both sides wait for the other.
final class ChunkRing: Sendable {
    /// A delivery to the consumer.
    enum Delivery: Sendable {
        /// The next bytes.
        case chunk(Chunk)
        /// The end of the stream.
        case end(StreamDamage?)
        /// An error after which reading must not continue.
        case failure(any Error)
    }

    private struct State: ~Copyable {
        var spare: [Chunk] = []
        var unmade: Int
        var deliveries: [Delivery] = []
        var isStopped = false
    }

    private let state: Mutex<State>
    private let spareCount: DispatchSemaphore
    private let deliveryCount = DispatchSemaphore(value: 0)

    /// Creates a ring of `count` chunks.
    init(count: Int) {
        state = Mutex(State(unmade: count))
        spareCount = DispatchSemaphore(value: 0)
        for _ in 0..<count { spareCount.signal() }
    }

    /// Waits for an empty chunk; returns `nil` if the consumer has stopped.
    func takeSpare() -> Chunk? {
        spareCount.wait()
        return state.withLock { state in
            if state.isStopped { return nil }
            if let chunk = state.spare.popLast() { return chunk }
            // Created on demand: most files are smaller than a chunk.
            state.unmade -= 1
            return state.unmade >= 0 ? Chunk() : nil
        }
    }

    /// Passes a delivery to the consumer.
    func deliver(_ delivery: Delivery) {
        state.withLock { $0.deliveries.append(delivery) }
        deliveryCount.signal()
    }

    /// Waits for the next delivery.
    func next() -> Delivery {
        deliveryCount.wait()
        return state.withLock { $0.deliveries.isEmpty ? .end(nil) : $0.deliveries.removeFirst() }
    }

    /// Returns a consumed chunk to the producer.
    func giveBack(_ chunk: Chunk) {
        state.withLock { $0.spare.append(chunk) }
        spareCount.signal()
    }

    /// Stops the producer.
    func stop() {
        state.withLock { $0.isStopped = true }
        spareCount.signal()
    }
}
