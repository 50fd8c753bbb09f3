package import HealthSyncDomain
import HealthSyncPorts
import Synchronization

/// `PairingOffers` in memory.
package final class InMemoryPairingOffers: PairingOffers {
    private let offer = Mutex<PairingOffer?>(nil)

    package init() {}

    package func current() throws -> PairingOffer? { offer.withLock { $0 } }

    package func change<Result>(_ body: (inout PairingOffer?) throws -> Result) throws -> Result {
        var result: Result?
        try offer.withLock { offer in
            var changed = offer
            result = try body(&changed)
            offer = changed
        }
        guard let result else { throw ContractViolation("the change has no result") }
        return result
    }
}
