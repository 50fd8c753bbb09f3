/// A shoe that was deleted.
package struct ShoeDeletion: Sendable, Hashable {
    package var shoe: Shoe
    /// The sessions deleted with it.
    package var sessions: [ShoeSession]

    package init(shoe: Shoe, sessions: [ShoeSession]) {
        self.shoe = shoe
        self.sessions = sessions
    }
}
