package import HealthSyncDomain
import HealthSyncPorts

/// Writes the JSON of the receiving API: names in ascending order, one object per record, several joined by commas.
///
/// The user profile is not in the body: it is sent with every request as the field `Healthsync-Profile`.
package struct HTTPRecordEncoder: HealthRecordEncoder, RawSampleEncoder {
    /// Creates the encoder.
    package init() {}

    package func payload(of progress: RevisedRecord<DailyProgress>) -> [UInt8] {
        ProgressEncoding(progress.record).payload(revision: progress.revision)
    }

    package func payload(of session: RevisedRecord<SleepSession>) -> [UInt8] { SleepEncoding.payload(session) }

    package func payload(of snapshot: RevisedRecord<ActivitySnapshot>) -> [UInt8] { SnapshotEncoding.payload(snapshot) }

    package func payload(
        of samples: RawSamples, kind: RecordKind, unit: String, revisions: [SampleID: SampleRevision]
    ) -> [UInt8] {
        SampleEncoding(kind: kind, unit: unit, revisions: revisions).payload(of: samples)
    }
}

/// The entries of one metric's day, for `POST /api/v1/progress`: the day first, then its hours.
private struct ProgressEncoding {
    private let progress: DailyProgress
    private let day: String

    init(_ progress: DailyProgress) {
        self.progress = progress
        day = progress.day.description
    }

    /// Returns the entries, joined by commas.
    func payload(revision: Int) -> [UInt8] {
        var writer = JSONBytes(reserving: 240 * (progress.hours.count + 1))
        let ids = progress.entryIDs
        let afterCount = fragment { writer in
            writer.raw("\"day\":")
            writer.string(day)
            writer.raw(",\"granularity\":\"")
        }
        let afterQuantity = fragment { writer in
            writer.raw(",\"revision\":")
            writer.number(Int64(revision))
            writer.raw(",\"source_id\":")
        }
        let afterStart = fragment { writer in
            writer.raw("\",\"type\":")
            writer.string(progress.metric.rawValue)
            writer.raw(",\"unit\":")
            writer.string(progress.unit)
            writer.raw("}")
        }
        func write(_ figures: ProgressFigures, _ granularity: StaticString, id: String, start: [UInt8]) {
            writer.raw("{")
            if let count = figures.count {
                writer.raw("\"count\":")
                writer.number(Int64(count))
                writer.raw(",")
            }
            writer.raw(afterCount)
            writer.raw(granularity)
            Self.write(figures, to: &writer)
            writer.raw(afterQuantity)
            writer.string(id)
            writer.raw(",\"start\":\"")
            writer.raw(start)
            writer.raw(afterStart)
        }
        write(progress.figures, "day\"", id: ids[0], start: Self.dateTime(progress.start))
        for (hour, id) in zip(progress.hours, ids.dropFirst()) {
            writer.raw(",")
            write(hour.figures, "hour\"", id: id, start: Self.dateTime(hour.start))
        }
        return writer.bytes
    }

    /// Writes the members that were measured.
    private static func write(_ figures: ProgressFigures, to writer: inout JSONBytes) {
        if let held = figures.heldMilliseconds {
            writer.raw(",\"held_ms\":")
            writer.number(held)
        }
        if let maximum = figures.maximum {
            writer.raw(",\"max\":")
            writer.number(maximum)
        }
        if let minimum = figures.minimum {
            writer.raw(",\"min\":")
            writer.number(minimum)
        }
        writer.raw(",\"quantity\":")
        writer.number(figures.quantity)
    }

    private static func dateTime(_ instant: Instant) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(24)
        RFC3339.append(instant, to: &bytes)
        return bytes
    }

    private func fragment(_ write: (inout JSONBytes) -> Void) -> [UInt8] {
        var writer = JSONBytes(reserving: 64)
        write(&writer)
        return writer.bytes
    }
}

/// One session, for `POST /api/v1/sleep`, with times in the user's time zone.
///
/// What the session is a part of comes last, so that it can be left out for a server that does not take it.
enum SleepEncoding {
    /// No text can contain these bytes, because quotes in texts are escaped.
    private static let placeBegins = Array(",\"counted\":".utf8)

    /// Returns `payload` without what the session is a part of.
    static func withoutPlace(_ payload: [UInt8]) -> [UInt8] {
        guard let place = payload.firstRange(of: placeBegins) else { return payload }
        return payload[..<place.lowerBound] + [UInt8(ascii: "}")]
    }

    static func payload(_ revised: RevisedRecord<SleepSession>) -> [UInt8] {
        let session = revised.record
        var writer = JSONBytes(reserving: 256 + 128 * session.stages.count)
        func time(_ instant: Instant) { writer.string(RFC3339.string(instant, offsetSeconds: session.offsetSeconds)) }
        writer.raw("{\"end_time\":")
        time(session.interval.end)
        writer.raw(",\"notes\":null,\"revision\":")
        writer.number(Int64(revised.revision))
        writer.raw(",\"source\":")
        writer.string(session.origin.sourceName)
        writer.raw(",\"source_id\":")
        writer.string(revised.sourceID)
        if session.stages.isEmpty { writeStageMinutes(session.durations, to: &writer) }
        writer.raw(",\"stages\":[")
        for (index, stage) in session.stages.enumerated() {
            writer.raw(index == 0 ? "{\"end_time\":" : ",{\"end_time\":")
            time(stage.interval.end)
            writer.raw(",\"stage\":")
            writer.string(stage.stage.rawValue)
            writer.raw(",\"start_time\":")
            time(stage.interval.start)
            writer.raw("}")
        }
        writer.raw("],\"start_time\":")
        time(session.interval.start)
        writePlace(of: session, to: &writer)
        writer.raw("}")
        return writer.bytes
    }

    private static func writePlace(of session: SleepSession, to writer: inout JSONBytes) {
        writer.raw(",\"counted\":")
        if let share = session.share {
            writeCounted(share.durations, to: &writer)
            writer.raw(",\"stretches\":[")
            for (index, stretch) in share.stretches.enumerated() {
                writer.raw(index == 0 ? "{\"end_time\":" : ",{\"end_time\":")
                writer.string(RFC3339.string(stretch.end, offsetSeconds: session.offsetSeconds))
                writer.raw(",\"start_time\":")
                writer.string(RFC3339.string(stretch.start, offsetSeconds: session.offsetSeconds))
                writer.raw("}")
            }
            writer.raw("]}")
        } else {
            writer.raw("null")
        }
        writer.raw(",\"day\":")
        writer.string(session.day.description)
        writer.raw(",\"night_id\":")
        writer.string(session.nightID)
        writer.raw(",\"role\":")
        writer.string(session.role.rawValue)
    }

    private static func writeCounted(_ durations: SleepDurations, to writer: inout JSONBytes) {
        func minutes(_ milliseconds: Int64) { writer.number(Double(milliseconds) / 60_000) }
        writer.raw("{\"asleep_minutes\":")
        minutes(durations.asleep)
        writer.raw(",\"awake_minutes\":")
        minutes(durations.awake)
        writer.raw(",\"core_minutes\":")
        minutes(durations.core)
        writer.raw(",\"deep_minutes\":")
        minutes(durations.deep)
        writer.raw(",\"rem_minutes\":")
        minutes(durations.rem)
        writer.raw(",\"time_in_bed_minutes\":")
        minutes(durations.inBed)
    }

    /// Writes the minutes of each stage. A server cannot compute them for a night of which only sums are known.
    private static func writeStageMinutes(_ durations: SleepDurations, to writer: inout JSONBytes) {
        func minutes(_ milliseconds: Int64) { writer.number(Double(milliseconds) / 60_000) }
        writer.raw(",\"stage_minutes\":{\"asleep\":")
        minutes(durations.unspecified)
        writer.raw(",\"awake\":")
        minutes(durations.awake)
        writer.raw(",\"core\":")
        minutes(durations.core)
        writer.raw(",\"deep\":")
        minutes(durations.deep)
        writer.raw(",\"rem\":")
        minutes(durations.rem)
        writer.raw("}")
    }
}

/// The activity snapshot of one day, for `POST /api/v1/snapshots`; values that were not measured are null.
private enum SnapshotEncoding {
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

/// Raw samples, for `POST /steps` and `POST /api/v1/samples/{type}`.
private struct SampleEncoding {
    let kind: RecordKind
    let unit: String
    let revisions: [SampleID: SampleRevision]

    /// Returns the samples, joined by commas.
    func payload(of samples: RawSamples) -> [UInt8] {
        var writer = JSONBytes(reserving: 280 * samples.count)
        let origins = samples.origins.map(fragment)
        let tail = kind == .steps ? [] : fragment(ofUnit: unit)
        for row in 0..<samples.count {
            writer.raw(row == 0 ? "{" : ",{")
            let start = samples.starts[row]
            if kind == .steps {
                writer.raw("\"count\":")
                writer.number(LayeringRule.sentCount(samples.values[row]))
                writer.raw(",")
            }
            writer.raw("\"endDate\":\"")
            writer.time(Instant(milliseconds: start + samples.durations[row]))
            if !revisions.isEmpty, let revision = revisions[samples.ids[row]]?.revision {
                writer.raw("\",\"revision\":")
                writer.number(Int64(revision))
                writer.raw(",\"sourceBundleId\":")
            } else {
                writer.raw("\",\"sourceBundleId\":")
            }
            writer.raw(origins[Int(samples.originIndices[row])])
            writer.time(Instant(milliseconds: start))
            writer.raw("\"")
            writer.raw(tail)
            writer.raw(",\"uuid\":\"")
            writer.id(samples.ids[row])
            if kind == .steps {
                writer.raw("\"}")
            } else {
                writer.raw("\",\"value\":")
                writer.number(samples.values[row])
                writer.raw("}")
            }
        }
        return writer.bytes
    }

    /// Returns the text from the value of `sourceBundleId` to the beginning of the value of `startDate`. An export
    /// contains no bundle ids: `sourceBundleId` is the source's name as HealthKit shows it, `sourceDeviceName` the device's.
    private func fragment(of origin: SampleOrigin) -> [UInt8] {
        var writer = JSONBytes(reserving: 256)
        writer.string(origin.sourceName)
        if !origin.device.isEmpty {
            writer.raw(",\"sourceDeviceName\":")
            writer.string(origin.device)
        }
        writer.raw(",\"startDate\":\"")
        return writer.bytes
    }

    private func fragment(ofUnit unit: String) -> [UInt8] {
        var writer = JSONBytes(reserving: 32)
        writer.raw(",\"unit\":")
        writer.string(unit)
        return writer.bytes
    }
}
