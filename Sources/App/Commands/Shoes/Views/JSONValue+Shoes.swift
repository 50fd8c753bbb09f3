import HealthSyncDomain

extension JSONValue {
    /// `steps` and `walkingDistanceKilometres`; null where nothing was measured.
    static func members(_ figures: WalkFigures) -> [Member] {
        [
            Member(name: "steps", value: .optional(figures.steps)),
            Member(name: "walkingDistanceKilometres", value: .optional(figures.kilometres?.asFigure)),
        ]
    }

    /// An instant by the person's wall clock; null for none.
    static func local(_ instant: Instant?, _ clock: DayClock) -> JSONValue {
        .optional(instant.map { Figures.local($0, clock) })
    }

    /// `start` and `end`.
    static func members(_ range: InstantRange, _ clock: DayClock) -> [Member] {
        [
            Member(name: "start", value: .local(range.start, clock)),
            Member(name: "end", value: .local(range.end, clock)),
        ]
    }
}
