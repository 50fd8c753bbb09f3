import HealthSyncDomain

/// The totals of a pair of shoes.
enum ShoeFacts {
    static func totals(
        _ totals: ShoeTotals, of shoe: Shoe, _ numbers: NumberForm
    ) -> [(name: String, value: Markup)] {
        var facts: [(name: String, value: Markup)] = []
        if let distance = WalkCells.distance(totals.figures, numbers) { facts.append(("Distance", distance)) }
        if let steps = WalkCells.steps(totals.figures, numbers) { facts.append(("Steps", steps)) }
        facts.append(("Worn", SleepFigure.duration(totals.worn)))
        if let price = shoe.details.price, let cost = totals.costPerKilometre(price) {
            facts.append(
                ("Cost per kilometre", Figure.number(cost, numbers.money(cost, price.currency))))
        }
        return facts
    }
}
