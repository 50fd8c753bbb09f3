import HealthSyncDomain

/// The activity snapshot of one day, for `POST /api/v1/snapshots`; values that were not measured are null.
enum SnapshotEncoding {
    static func payload(_ revised: RevisedRecord<ActivitySnapshot>) -> [UInt8] {
        let snapshot = revised.record
        var writer = JSONBytes(reserving: 256)
        writer.raw("{\"active_energy_kcal\":")
        writer.number(orNull: snapshot.activeEnergyKilocalories)
        writer.raw(",\"day\":")
        writer.string(snapshot.day.description)
        writer.raw(",\"exercise_minutes\":")
        writer.number(orNull: snapshot.exerciseMinutes)
        writer.raw(",\"resting_heart_rate\":")
        writer.number(orNull: snapshot.restingHeartRate)
        writer.raw(",\"revision\":")
        writer.number(Int64(revised.revision))
        writer.raw(",\"sleep_minutes\":")
        writer.number(orNull: snapshot.minutesAsleep)
        writer.raw(",\"source_id\":")
        writer.string(id(of: snapshot.day))
        writer.raw(",\"steps\":")
        writer.number(orNull: snapshot.steps)
        writer.raw(",\"walking_distance_km\":")
        writer.number(orNull: snapshot.walkingDistanceKilometres)
        writer.raw("}")
        return writer.bytes
    }

    static func id(of day: CalendarDay) -> String { "snapshot/\(day)" }
}
