/// As many slots as requests may be in flight; who finds none free waits.
actor CurlPool {
    private var idle: [CurlSlot]
    private var waiting: [CheckedContinuation<CurlSlot, Never>] = []

    init(slots: Int) { idle = (0..<max(1, slots)).map { CurlSlot(number: $0) } }

    func perform(_ request: CurlRequest, limits: CurlLimits) async -> CurlOutcome {
        let slot = await takeSlot()
        let outcome = await slot.perform(request, limits: limits)
        giveBack(slot)
        return outcome
    }

    private func takeSlot() async -> CurlSlot {
        if let slot = idle.popLast() { return slot }
        return await withCheckedContinuation { waiting.append($0) }
    }

    private func giveBack(_ slot: CurlSlot) {
        if waiting.isEmpty { idle.append(slot) } else { waiting.removeFirst().resume(returning: slot) }
    }
}
