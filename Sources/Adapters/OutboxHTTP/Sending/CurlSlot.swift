import HealthSyncDomain
import HealthSyncPorts

/// A thread and a connection, for one request at a time.
actor CurlSlot {
    private nonisolated let executor: BlockingQueueExecutor
    private var handle: CurlHandle?

    init(number: Int) { executor = BlockingQueueExecutor(label: "healthsync.outbox.\(number)") }

    nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

    /// Sends the request and waits for the response. Cancellation has no effect: the outcome of a request that was
    /// sent is needed, and the limits end it soon enough.
    func perform(
        _ request: CurlRequest, limits: CurlLimits, receive: (any CurlReceiver)? = nil
    ) -> CurlOutcome {
        if handle == nil { handle = CurlHandle() }
        guard let handle else { return .failure(.network(reason: "out of memory")) }
        return handle.perform(request, limits: limits, receive: receive)
    }
}
