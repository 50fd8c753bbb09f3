package import Foundation

/// A pair of shoes of the collection.
package struct Shoe: Sendable, Hashable, Identifiable {
    package let id: UUID
    package var details: ShoeDetails
    /// When it became the shoe that is put on by itself; `nil` for all but at most one.
    package var defaultSince: Instant?
    /// When it was put away: it keeps its sessions, but can be neither started nor default.
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

    /// Brand and model, as a person calls it.
    package var name: String { "\(details.brand) \(details.model)" }
    /// `👟 Salomon Speedcross 6`.
    package var label: String { (details.emoji.map { $0 + " " } ?? "") + name }
    package var isDefault: Bool { defaultSince != nil }
    package var isArchived: Bool { archivedAt != nil }
}
