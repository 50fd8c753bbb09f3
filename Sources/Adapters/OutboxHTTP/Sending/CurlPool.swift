import HealthSyncPorts

/// One slot for each request in flight.
struct CurlPool: RequestExchange {
    private let slots: LendingPool<CurlSlot>

    init(slots: Int) { self.slots = LendingPool((0..<max(1, slots)).map { CurlSlot(number: $0) }) }

    func perform(
        _ request: CurlRequest, limits: CurlLimits, receive: (any CurlReceiver)?
    ) async -> CurlOutcome {
        await slots.lend { await $0.perform(request, limits: limits, receive: receive) }
    }
}
