import HealthSyncDomain

/// A summary of one day. Values that were not measured are absent, never 0.
struct SnapshotView: JSONEncodable {
    let snapshot: ActivitySnapshot

    /// A row for each value that exists.
    var rows: [(name: String, text: String)] {
        let rows: [(String, Double?, (Double) -> String)] = [
            ("steps", snapshot.steps, { Figures.rounded($0, places: 0) }),
            ("walking distance", snapshot.walkingDistanceKilometres, { Figures.rounded($0, places: 2) + " km" }),
            ("active energy", snapshot.activeEnergyKilocalories, { Figures.rounded($0, places: 0) + " kcal" }),
            ("exercise", snapshot.exerciseMinutes, { DurationText.minutes($0) }),
            ("resting heart rate", snapshot.restingHeartRate, { Figures.rounded($0, places: 0) + "/min" }),
            ("asleep", snapshot.minutesAsleep, { DurationText.minutes($0) }),
        ]
        return rows.compactMap { name, value, text in value.map { (name, text($0)) } }
    }

    var json: JSONValue {
        [
            "day": snapshot.day, "steps": snapshot.steps,
            "walkingDistanceKilometres": snapshot.walkingDistanceKilometres,
            "activeEnergyKilocalories": snapshot.activeEnergyKilocalories,
            "exerciseMinutes": snapshot.exerciseMinutes,
            "restingHeartRate": snapshot.restingHeartRate,
            "minutesAsleep": snapshot.minutesAsleep,
        ]
    }
}
