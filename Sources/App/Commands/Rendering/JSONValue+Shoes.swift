import HealthSyncDomain

extension JSONValue {
    /// Returns `steps` and `walkingDistanceKilometres`; null if not measured.
    static func members(_ figures: WalkFigures) -> [Member] {
        [
            Member(name: "steps", value: .optional(figures.steps)),
            Member(name: "walkingDistanceKilometres", value: .optional(figures.kilometres?.asFigure)),
        ]
    }

    /// Returns an instant in local time; null for `nil`.
    static func local(_ instant: Instant?, _ clock: DayClock) -> JSONValue {
        .optional(instant.map { Figures.local($0, clock) })
    }

    /// Returns `start` and `end`.
    static func members(_ range: InstantRange, _ clock: DayClock) -> [Member] {
        [
            Member(name: "start", value: .local(range.start, clock)),
            Member(name: "end", value: .local(range.end, clock)),
        ]
    }
}
