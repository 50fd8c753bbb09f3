/// A derived record or tombstone in a verification: id, revision and a checksum of the values, without the values.
package struct RecordEntry: Hashable, Sendable {
    /// The id of the record on servers.
    package var id: String
    /// The day under which servers list the record; `nil` for a tombstone.
    package var day: CalendarDay?
    package var revision: Int
    /// The checksum of id, revision and values (`RecordContent`).
    package var content: UInt64

    package init(id: String, day: CalendarDay?, revision: Int, content: UInt64) {
        self.id = id
        self.day = day
        self.revision = revision
        self.content = content
    }
}

extension RevisedRecord<DailyProgress> {
    /// The entries of the day and its hours, in the order of `entryIDs`.
    package var entries: [RecordEntry] {
        let progress = record
        let day = progress.day.description
        func entry(_ id: String, _ granularity: String, _ start: Instant, _ figures: ProgressFigures) -> RecordEntry {
            var fold = RecordContent.fold(id: id, revision: Int64(revision))
            RecordContent.add(
                type: progress.metric.rawValue, granularity: granularity, day: day, start: RFC3339.string(start),
                figures: RecordContent.ProgressValues(
                    quantity: figures.quantity, minimum: figures.minimum, maximum: figures.maximum,
                    count: figures.count.map(Double.init), held: figures.heldMilliseconds.map(Double.init)),
                unit: progress.unit, to: &fold)
            return RecordEntry(id: id, day: progress.day, revision: revision, content: fold.state)
        }
        let ids = progress.entryIDs
        return [entry(ids[0], "day", progress.start, progress.figures)]
            + zip(ids.dropFirst(), progress.hours).map { entry($0, "hour", $1.start, $1.figures) }
    }
}

extension RevisedRecord<SleepSession> {
    /// Returns the entry of the session. Servers list it under its day, or if they do not take what it is a part of (as
    /// `hasNight` states), under the local day of its start.
    package func entry(hasNight: Bool) -> RecordEntry {
        let session = record
        func text(_ instant: Instant) -> String { RFC3339.string(instant, offsetSeconds: session.offsetSeconds) }
        let start = text(session.interval.start)
        var fold = RecordContent.fold(id: sourceID, revision: Int64(revision))
        for value in [start, text(session.interval.end), session.origin.sourceName] { fold.add(value) }
        // The notes, which are always absent.
        fold.addNull()
        for figure in session.durationsOnServer.sentFigures { fold.add(figure) }
        var stages = ContentFold()
        for stage in session.stages {
            stages.add(stage.stage.rawValue)
            stages.add(text(stage.interval.start))
            stages.add(text(stage.interval.end))
        }
        fold.add(Int64(session.stages.count))
        fold.add(Int64(bitPattern: stages.state))
        var day = CalendarDay(start.prefix(10)) ?? CalendarDay(utcDayOf: session.interval.start)
        if hasNight {
            day = session.day
            for value in [day.description, session.nightID, session.role.rawValue] { fold.add(value) }
            if let share = session.share {
                for figure in share.durations.sentFigures.dropLast() { fold.add(figure) }
                fold.add(Int64(share.stretches.count))
                for stretch in share.stretches { for time in [stretch.start, stretch.end] { fold.add(text(time)) } }
            } else {
                fold.addNull()
            }
        }
        return RecordEntry(id: sourceID, day: day, revision: revision, content: fold.state)
    }
}

extension RevisedRecord<ActivitySnapshot> {
    /// The entry of the snapshot.
    package var entry: RecordEntry {
        let snapshot = record
        let id = "snapshot/\(snapshot.day)"
        var fold = RecordContent.fold(id: id, revision: Int64(revision))
        fold.add(snapshot.day.description)
        for figure in [
            snapshot.activeEnergyKilocalories, snapshot.exerciseMinutes, snapshot.restingHeartRate,
            snapshot.minutesAsleep, snapshot.steps, snapshot.walkingDistanceKilometres,
        ] {
            fold.add(figure)
        }
        return RecordEntry(id: id, day: snapshot.day, revision: revision, content: fold.state)
    }
}
