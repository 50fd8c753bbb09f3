import HealthSyncDomain

/// A snapshot, as `SnapshotReader` keeps it.
enum ReceivedSnapshot {
    static func snapshot(_ record: ReceivedRecord) throws -> ActivitySnapshot {
        try JSONText.read(record.body) { body in
            var snapshot = ActivitySnapshot(day: record.day)
            snapshot.steps = body["steps"]?.number
            snapshot.walkingDistanceKilometres = body["walking_distance_km"]?.number
            snapshot.activeEnergyKilocalories = body["active_energy_kcal"]?.number
            snapshot.exerciseMinutes = body["exercise_minutes"]?.number
            snapshot.restingHeartRate = body["resting_heart_rate"]?.number
            snapshot.minutesAsleep = body["sleep_minutes"]?.number
            return snapshot
        }
    }
}
