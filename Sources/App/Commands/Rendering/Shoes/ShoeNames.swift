import Foundation
import HealthSyncDomain

/// The names of shoes.
struct ShoeNames {
    private let shoes: [Shoe.ID: Shoe]

    init(_ shoes: [Shoe]) {
        self.shoes = Dictionary(shoes.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// Returns emoji, brand and model: `👟 Salomon Speedcross 6`.
    func label(_ id: Shoe.ID) -> String { shoes[id].map(Self.label) ?? Self.shortID(id) }

    /// Returns emoji, brand and model: `👟 Salomon Speedcross 6`.
    static func label(_ shoe: Shoe) -> String {
        UntrustedText.escaped(shoe.label)
    }

    /// Returns the beginning of an id, as `ShoeChoice` accepts it.
    static func shortID(_ id: Shoe.ID) -> String { String(text(id).prefix(8)) }

    /// Returns the id of a shoe or session in lower case.
    static func text(_ id: UUID) -> String { UUIDText.text(id) }

    /// Returns `shoe` (the id) and `name`.
    func members(_ id: Shoe.ID) -> JSONValue {
        ["shoe": Self.text(id), "name": shoes[id]?.name]
    }
}
