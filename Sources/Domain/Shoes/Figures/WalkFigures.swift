/// Steps and distance of a stretch of time; what was not measured is absent, never 0.
package struct WalkFigures: Sendable, Hashable {
    package var steps: Double?
    package var kilometres: Double?

    package init(steps: Double? = nil, kilometres: Double? = nil) {
        self.steps = steps
        self.kilometres = kilometres
    }

    /// Adds what was measured of `metric`.
    package mutating func add(_ quantity: Double, of metric: HealthMetric) {
        switch metric {
        case .steps: steps = (steps ?? 0) + quantity
        case .walkingDistance: kilometres = (kilometres ?? 0) + quantity
        default: break
        }
    }

    /// Adds what was measured elsewhere.
    package mutating func add(_ other: WalkFigures) {
        if let more = other.steps { add(more, of: .steps) }
        if let more = other.kilometres { add(more, of: .walkingDistance) }
    }

    /// The metrics that figures are made of.
    package static let metrics: [HealthMetric] = [.steps, .walkingDistance]
}
