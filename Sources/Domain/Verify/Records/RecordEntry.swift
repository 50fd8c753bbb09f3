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

/// The checksum of one derived record: `ContentFold` over id, revision and the values of its kind, in a fixed order.
package enum RecordContent {
    /// Returns the fold of id and revision, which begins every record. A tombstone has nothing else.
    package static func fold(id: String, revision: Int64) -> ContentFold {
        var fold = ContentFold()
        fold.add(id)
        fold.add(revision)
        return fold
    }

    /// Returns the checksum of the tombstone of `id`.
    package static func tombstone(id: String, revision: Int) -> UInt64 {
        fold(id: id, revision: Int64(revision)).state
    }

    /// Adds the values of an entry of a metric.
    package static func add(
        type: String?, granularity: String?, day: String?, start: String?, figures: ProgressValues, unit: String?,
        to fold: inout ContentFold
    ) {
        for text in [type, granularity, day, start] { fold.add(text) }
        for number in [figures.quantity, figures.minimum, figures.maximum, figures.count, figures.held] {
            fold.add(number)
        }
        fold.add(unit)
    }

    /// The numbers of an entry as they are sent.
    package struct ProgressValues: Sendable {
        package var quantity: Double?
        package var minimum: Double?
        package var maximum: Double?
        package var count: Double?
        /// Milliseconds during which measurements held.
        package var held: Double?

        package init(quantity: Double?, minimum: Double?, maximum: Double?, count: Double?, held: Double?) {
            self.quantity = quantity
            self.minimum = minimum
            self.maximum = maximum
            self.count = count
            self.held = held
        }
    }
}

/// A fold of the values of a record, one after the other, into 64 bits. For each word the state becomes `m(state ^
/// word)`, where `m` is the step of SplitMix64 and the initial state is 0. docs/server.md specifies it for other
/// programs.
package struct ContentFold: Hashable, Sendable {
    /// The result so far.
    package private(set) var state: UInt64 = 0

    package init() {}

    /// Adds a whole number, such as the number of list elements.
    package mutating func add(_ number: Int64) { add(word: UInt64(bitPattern: number)) }

    /// Adds a number by its IEEE 754 bits; -0 is treated as 0.
    package mutating func add(_ number: Double) { add(word: number == 0 ? 0 : number.bitPattern) }

    /// Adds a number, or a null word for `nil`.
    package mutating func add(_ number: Double?) {
        if let number { add(number) } else { addNull() }
    }

    /// Adds a text: the number of its UTF-8 bytes, then the bytes in little-endian words of eight, the last one
    /// padded with zeros.
    package mutating func add(_ text: String) {
        var text = text
        text.withUTF8 { unsafe add(utf8: $0) }
    }

    /// Adds a text, or a null word for `nil`.
    package mutating func add(_ text: String?) {
        if let text { add(text) } else { addNull() }
    }

    /// Adds a text by its UTF-8 bytes.
    package mutating func add(utf8 bytes: UnsafeBufferPointer<UInt8>) {
        add(word: UInt64(bytes.count))
        var word: UInt64 = 0
        var shift: UInt64 = 0
        for index in bytes.indices {
            word |= UInt64(unsafe bytes[index]) << shift
            shift += 8
            if shift == 64 {
                add(word: word)
                (word, shift) = (0, 0)
            }
        }
        if shift > 0 { add(word: word) }
    }

    /// Adds an absent value: a word with all bits set, which is never a number, length or count.
    package mutating func addNull() { add(word: .max) }

    private mutating func add(word: UInt64) { state = SplitMix.mixed(state ^ word) }
}
