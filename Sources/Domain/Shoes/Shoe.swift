package import Foundation

/// A pair of shoes in the collection.
package struct Shoe: Sendable, Hashable, Identifiable {
    package let id: UUID
    package var details: ShoeDetails
    /// When it became the default shoe, which starts automatically; `nil` if it is not the default. At most one shoe
    /// is.
    package var defaultSince: Instant?
    /// When it was archived. An archived shoe keeps its sessions but can be neither started nor the default.
    package var archivedAt: Instant?
    package let addedAt: Instant

    package init(
        id: UUID, details: ShoeDetails, defaultSince: Instant? = nil, archivedAt: Instant? = nil, addedAt: Instant
    ) {
        self.id = id
        self.details = details
        self.defaultSince = defaultSince
        self.archivedAt = archivedAt
        self.addedAt = addedAt
    }

    /// Brand and model.
    package var name: String { "\(details.brand) \(details.model)" }
    /// The name with the emoji: `👟 Salomon Speedcross 6`.
    package var label: String { (details.emoji.map { $0 + " " } ?? "") + name }
    package var isDefault: Bool { defaultSince != nil }
    package var isArchived: Bool { archivedAt != nil }
}
