/// A shoe that was deleted.
package struct ShoeDeletion: Sendable, Hashable {
    package var shoe: Shoe
    /// Its sessions, in which no shoe was worn now.
    package var sessions: [ShoeSession]

    package init(shoe: Shoe, sessions: [ShoeSession]) {
        self.shoe = shoe
        self.sessions = sessions
    }
}
