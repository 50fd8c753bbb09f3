import Foundation
import HealthSyncDomain
package import HealthSyncPorts

/// The contract of `PairingOffers`.
package enum PairingOffersContract {
    private static let end = Instant(seconds: 1_700_000_600)

    private static func sample(_ name: String = "phone") throws -> PairingOffer {
        guard let device = UserName(name) else { throw ContractViolation("invalid name") }
        return PairingOffer(
            device: device, end: end,
            claims: [
                .init(
                    code: "000007", statedName: TokenName("Anna’s iPhone: 2"), address: "fe80::1",
                    askedAt: Instant(seconds: 1_700_000_000)),
                .init(code: "482917", statedName: nil, address: "192.168.1.20", askedAt: end, isConfirmed: true),
            ])
    }

    /// Returns the clauses; `make` returns two values on each call that share a new, empty place.
    package static func clauses(
        make: @escaping @Sendable () throws -> (any PairingOffers, any PairingOffers)
    ) -> [ContractClause] {
        [
            ContractClause("an offer is returned as it was changed, to every process, until it is removed") {
                let (one, other) = try make()
                let offer = try sample()
                try ContractViolation.unlessEqual(try one.current(), nil, "none")
                try one.change { $0 = offer }
                try ContractViolation.unlessEqual(try other.current(), offer, "offer")
                let seen: PairingOffer? = try other.change { (current: inout PairingOffer?) -> PairingOffer? in current
                }
                try ContractViolation.unlessEqual(seen, offer, "seen by a change")
                let later = try sample("tablet")
                try other.change { $0 = later }
                try ContractViolation.unlessEqual(try one.current(), later, "a later one replaces it")
                try one.change { $0 = nil }
                try one.change { $0 = nil }
                try ContractViolation.unlessEqual(try other.current(), nil, "removed")
            },
            ContractClause("a change that throws changes nothing") {
                let (one, _) = try make()
                let offer = try sample()
                try one.change { $0 = offer }
                let failed: ()? = try? one.change { changed in
                    changed = nil
                    throw CancellationError()
                }
                try ContractViolation.unlessEqual(failed == nil, true, "the error is rethrown")
                try ContractViolation.unlessEqual(try one.current(), offer, "offer")
            },
            ContractClause("concurrent changes follow each other") {
                let (one, other) = try make()
                let offer = try sample()
                try one.change { $0 = offer }
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for number in 0..<40 {
                        group.addTask {
                            try await BlockingWork.run { _ in
                                try (number.isMultiple(of: 2) ? one : other).change { changed in
                                    let later = changed?.end.advanced(byMilliseconds: 1)
                                    if let later { changed?.end = later }
                                }
                            }
                        }
                    }
                    try await group.waitForAll()
                }
                try ContractViolation.unlessEqual(
                    try one.current()?.end, end.advanced(byMilliseconds: 40), "every change counts")
            },
        ]
    }
}
