import HealthSyncDomain

/// One day at a glance; what was not measured is absent, never 0.
struct SnapshotView {
    let snapshot: ActivitySnapshot

    /// A row for each figure that there is.
    var rows: [(name: String, text: String)] {
        let rows: [(String, Double?, Int, String)] = [
            ("steps", snapshot.steps, 0, ""), ("walking distance", snapshot.walkingDistanceKilometres, 2, " km"),
            ("active energy", snapshot.activeEnergyKilocalories, 0, " kcal"),
            ("exercise", snapshot.exerciseMinutes, 0, " min"),
            ("resting heart rate", snapshot.restingHeartRate, 0, "/min"),
            ("asleep", snapshot.minutesAsleep, 0, " min"),
        ]
        return rows.compactMap { name, value, places, unit in
            value.map { (name, Figures.rounded($0, places: places) + unit) }
        }
    }

    var json: JSONValue {
        [
            "day": .string("\(snapshot.day)"), "steps": .optional(snapshot.steps),
            "walkingDistanceKilometres": .optional(snapshot.walkingDistanceKilometres),
            "activeEnergyKilocalories": .optional(snapshot.activeEnergyKilocalories),
            "exerciseMinutes": .optional(snapshot.exerciseMinutes),
            "restingHeartRate": .optional(snapshot.restingHeartRate),
            "minutesAsleep": .optional(snapshot.minutesAsleep),
        ]
    }
}
