/// What became of one received record.
package enum StoreOutcome: String, Sendable {
    /// It was not known.
    case created
    /// It replaced a lower revision.
    case updated
    /// It changed nothing: this revision or a higher one was there.
    case duplicate

    /// The one rule by which every store decides: a higher revision replaces a lower one, and of two equal ones only a
    /// deletion changes anything.
    package static func of(
        revision: Int64, isDeleted: Bool, over known: (revision: Int64, isDeleted: Bool)?
    ) -> StoreOutcome {
        guard let known else { return .created }
        if revision > known.revision { return .updated }
        return revision == known.revision && isDeleted && !known.isDeleted ? .updated : .duplicate
    }
}
