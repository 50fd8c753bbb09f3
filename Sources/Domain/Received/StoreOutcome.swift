/// The outcome of storing one record.
package enum StoreOutcome: String, Sendable {
    /// The record is new.
    case created
    /// The record replaced a lower revision.
    case updated
    /// Nothing changed: this revision or a higher one is already stored.
    case duplicate

    /// Returns the outcome of storing a record over a stored one. Every store follows this rule: a higher revision
    /// replaces a lower one, and an equal revision changes something only if it is a deletion.
    package static func of(
        revision: Int64, isDeleted: Bool, over stored: (revision: Int64, isDeleted: Bool)?
    ) -> StoreOutcome {
        guard let stored else { return .created }
        if revision > stored.revision { return .updated }
        return revision == stored.revision && isDeleted && !stored.isDeleted ? .updated : .duplicate
    }
}
