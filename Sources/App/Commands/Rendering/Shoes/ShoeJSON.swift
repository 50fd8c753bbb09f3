import HealthSyncDomain

extension JSONValue {
    /// Returns `steps` and `walkingDistanceKilometres`; null if not measured.
    static func walk(_ figures: WalkFigures) -> JSONValue {
        ["steps": figures.steps, "walkingDistanceKilometres": figures.kilometres?.asFigure]
    }

    /// Returns an instant in local time; null for `nil`.
    static func local(_ instant: Instant?, _ clock: DayClock) -> JSONValue {
        instant.map { Figures.local($0, clock) }.json
    }

    /// Returns `start` and `end`, in local time; null for `nil`.
    static func range(_ start: Instant, _ end: Instant?, _ clock: DayClock) -> JSONValue {
        ["start": local(start, clock), "end": local(end, clock)]
    }
}
