/// All shoes with their totals.
package struct ShoeCollection: Sendable {
    /// In the order in which they were added.
    package let shoes: [Shoe]
    package let sessions: ShoeSessions
    /// The totals of the shoes that were worn.
    package let totals: [Shoe.ID: ShoeTotals]

    package init(shoes: [Shoe], sessions: ShoeSessions, totals: [Shoe.ID: ShoeTotals]) {
        self.shoes = shoes
        self.sessions = sessions
        self.totals = totals
    }
}
