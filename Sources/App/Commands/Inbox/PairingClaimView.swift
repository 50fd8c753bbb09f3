import HealthSyncDomain
import HealthSyncPorts

/// A phone that asks to be paired.
struct PairingClaimView: JSONEncodable {
    let claim: PairingOffer.Claim

    var json: JSONValue {
        [
            "code": claim.code, "statedName": claim.statedName?.text, "address": claim.address,
            "asked": claim.askedAt, "confirmed": claim.isConfirmed,
        ]
    }
}
