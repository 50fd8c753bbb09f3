/// A sample of which home and a server do not say the same.
package struct SampleDifference: Hashable, Sendable {
    /// What differs.
    package enum Kind: String, Hashable, Sendable, CaseIterable {
        /// Kept at home; the server does not have it.
        case missing
        /// The server has it; it is not kept at home.
        case surplus
        /// Both have it, with another start, end or value.
        case changed
    }

    package var kind: Kind
    package var id: SampleID
    /// Where the sample starts at home, or, of a surplus one, on the server.
    package var start: Instant
    /// Under which the server has it; 0 of a missing one.
    package var revision: Int

    package init(kind: Kind, id: SampleID, start: Instant, revision: Int = 0) {
        self.kind = kind
        self.id = id
        self.start = start
        self.revision = revision
    }
}
