/// Steps and distance of an interval. A metric without measurements is `nil`, never 0.
package struct WalkFigures: Sendable, Hashable {
    package var steps: Double?
    package var kilometres: Double?

    package init(steps: Double? = nil, kilometres: Double? = nil) {
        self.steps = steps
        self.kilometres = kilometres
    }

    /// Adds a quantity of `metric`; ignores other metrics.
    package mutating func add(_ quantity: Double, of metric: HealthMetric) {
        switch metric {
        case .steps: steps = (steps ?? 0) + quantity
        case .walkingDistance: kilometres = (kilometres ?? 0) + quantity
        default: break
        }
    }

    /// Adds other figures.
    package mutating func add(_ other: WalkFigures) {
        if let more = other.steps { add(more, of: .steps) }
        if let more = other.kilometres { add(more, of: .walkingDistance) }
    }

    /// The metrics of the figures.
    package static let metrics: [HealthMetric] = [.steps, .walkingDistance]
}
