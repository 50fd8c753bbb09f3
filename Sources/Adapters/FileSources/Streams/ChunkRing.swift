import Dispatch
import Synchronization

/// Hands a fixed number of chunks round between one thread that fills them and one that uses them. Each chunk is on one
/// side at a time; both sides wait for the other.
final class ChunkRing: Sendable {
    /// What the using side is given.
    enum Delivery: Sendable {
        /// The next bytes.
        case chunk(Chunk)
        /// Nothing more comes.
        case end(StreamDamage?)
        /// Going on would be wrong.
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

    /// A ring of `count` chunks.
    init(count: Int) {
        state = Mutex(State(unmade: count))
        spareCount = DispatchSemaphore(value: 0)
        for _ in 0..<count { spareCount.signal() }
    }

    /// Waits for an empty chunk; `nil` when the using side has stopped.
    func takeSpare() -> Chunk? {
        spareCount.wait()
        return state.withLock { state in
            if state.isStopped { return nil }
            if let chunk = state.spare.popLast() { return chunk }
            // Made only when they are needed: most files are smaller than a chunk.
            state.unmade -= 1
            return state.unmade >= 0 ? Chunk() : nil
        }
    }

    /// Hands the next delivery to the using side.
    func deliver(_ delivery: Delivery) {
        state.withLock { $0.deliveries.append(delivery) }
        deliveryCount.signal()
    }

    /// Waits for the next delivery.
    func next() -> Delivery {
        deliveryCount.wait()
        return state.withLock { $0.deliveries.isEmpty ? .end(nil) : $0.deliveries.removeFirst() }
    }

    /// Gives a used chunk back.
    func giveBack(_ chunk: Chunk) {
        state.withLock { $0.spare.append(chunk) }
        spareCount.signal()
    }

    /// Tells the filling side that nothing more is wanted.
    func stop() {
        state.withLock { $0.isStopped = true }
        spareCount.signal()
    }
}
