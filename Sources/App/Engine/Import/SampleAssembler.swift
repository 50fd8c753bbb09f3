import HealthSyncDomain
import HealthSyncPorts
import Synchronization

/// Collects the samples of one source into page fragments while the source is read.
///
/// A source delivers mostly in order of time within type and origin, so one open day for each of them suffices; a day
/// that occurs again makes a further fragment. Fragments are packed at once, which keeps ten years small in memory.
final class SampleAssembler: Sendable {
    private let state: Mutex<State>
    private let progress: any ProgressReporter
    private let phase: String

    private let now: Int64

    /// Reports the number of samples of `location`. Sums and means of a feed end at the time now at the latest, unless they
    /// start later.
    init(location: String, progress: any ProgressReporter, time: any TimeSource) {
        now = time.now().milliseconds
        state = Mutex(State(stated: StatedZones(rules: time.zoneRules)))
        phase = "reading \(location)"
        self.progress = progress
    }

    /// Adds the samples of `batch`. Called by one thread at a time.
    func receive(_ batch: borrowing SampleBatch) {
        let tables = batch.tables
        let statement = batch.statement
        let received = state.withLock { state in
            state.tables = tables
            state.begin(statement)
            let isWritten = batch.written.count == batch.count
            for row in 0..<batch.count {
                state.add(batch, row: row, written: isWritten ? batch.written[row] : .unknown, now: now)
            }
            state.received += Int64(batch.count)
            return state.received
        }
        progress.report(phase: phase, done: received, total: Self.total(received, share: batch.shareRead))
    }

    /// The expected number of samples if the rest of the source is like the part that was read; `nil` if unknown.
    private static func total(_ received: Int64, share: Double?) -> Int64? {
        guard let share, share > 0 else { return nil }
        // One more than the present count while more may follow: only a finished phase is complete.
        return Int64(exactly: (Double(received) / share).rounded(.up)).map { max($0, received + 1) }
    }

    /// Packs the open days and returns everything; the assembler must not be used afterwards.
    func finish() -> AssembledSamples {
        let (result, received) = state.withLock { state in
            state.flushAll()
            let result = AssembledSamples(
                tables: state.tables, fragments: state.fragments, statedZones: state.stated)
            let received = state.received
            state = State(stated: state.stated)
            return (result, received)
        }
        // The total was an estimate; without this report the phase would seem to go on.
        progress.report(phase: phase, done: received, total: received)
        return result
    }

    private struct OpenDay {
        let type: UInt16
        let origin: UInt32
        let isPreAggregated: Bool
        var day: Int
        var dayStart: Int64
        var columns = SampleColumns()
        /// By row, the position in the order of reading of samples that have an identifier with a version.
        var versions: [Int: Int64] = [:]
        /// The notations of `columns`, as numbers in the tables of the reading.
        var notations: [UInt16] = []

        /// Returns `form` with the number that its notation has in `columns`.
        mutating func own(_ form: WrittenValue, _ tables: SampleBatch.Tables) -> WrittenValue {
            guard form.notation > 0 else { return .unknown }
            if let place = notations.firstIndex(of: form.notation) {
                return WrittenValue(notation: UInt16(place + 1), scale: form.scale)
            }
            guard notations.count < SampleColumns.mostNotations else { return .unknown }
            notations.append(form.notation)
            columns.notations.append(tables.notations[Int(form.notation) - 1])
            return WrittenValue(notation: UInt16(notations.count), scale: form.scale)
        }
    }

    private struct State {
        var tables = SampleBatch.Tables()
        var fragments: [PageFragment] = []
        var received: Int64 = 0
        var open: [OpenDay] = []
        var statement: Int?
        var stated: StatedZones
        /// For each type and origin 0 or one more than the index in `open`.
        var places: [[Int32]] = []

        init(stated: StatedZones) { self.stated = stated }

        /// Packs what was received before, so that a fragment contains samples of one delivery.
        mutating func begin(_ next: Int?) {
            guard next != statement else { return }
            flushAll()
            statement = next
        }

        mutating func add(_ batch: borrowing SampleBatch, row: Int, written: WrittenValue, now: Int64) {
            let start = batch.starts[row]
            let place = place(type: batch.types[row], origin: batch.origins[row])
            if start < open[place].dayStart || start >= open[place].dayStart + CalendarDay.millisecondsPerDay {
                flush(place)
                let day = CalendarDay(utcDayOf: Instant(milliseconds: start))
                open[place].day = day.ordinal
                open[place].dayStart = day.utcStart.milliseconds
            }
            var duration = batch.durations[row]
            if open[place].isPreAggregated, start < now, start &+ duration > now,
                batch.details[row]?.stateMilliseconds == nil
            {
                duration = UnfinishedBucket.duration(start: start, duration: duration, statedAt: now)
            }
            let zone = batch.zones[row]
            let detail = batch.details.isEmpty ? nil : batch.details[row]
            if detail?.comparedVersion != nil {
                open[place].versions[open[place].columns.count] = received + Int64(row)
            }
            let form = open[place].own(written, tables)
            open[place].columns.append(
                start: start, duration: duration, value: batch.values[row],
                zoneName: zone == 0 ? nil : tables.zoneNames[Int(zone) - 1],
                detail: detail, written: form)
        }

        mutating func place(type: UInt16, origin: UInt32) -> Int {
            while places.count <= Int(type) { places.append([]) }
            while places[Int(type)].count <= Int(origin) { places[Int(type)].append(0) }
            let known = places[Int(type)][Int(origin)]
            if known > 0 { return Int(known) - 1 }
            open.append(
                OpenDay(
                    type: type, origin: origin, isPreAggregated: tables.origins[Int(origin)].isPreAggregated, day: 0,
                    dayStart: .max - CalendarDay.millisecondsPerDay))
            places[Int(type)][Int(origin)] = Int32(open.count)
            return open.count - 1
        }

        mutating func flush(_ place: Int) {
            guard let content = PageFragment.Content(of: open[place].columns) else { return }
            stated.count(
                starts: open[place].columns.starts, zones: open[place].columns.zones,
                names: open[place].columns.zoneNames)
            let isCanonical = open[place].columns.isNormalized(open[place].isPreAggregated ? .byBucket : .byContent)
            let day = CalendarDay(ordinal: open[place].day)
            fragments.append(
                PageFragment(
                    type: open[place].type, origin: open[place].origin, day: day,
                    bytes: SamplePageCodec.encode(open[place].columns, day: day),
                    canonical: isCanonical ? content : nil, versions: open[place].versions,
                    statement: statement))
            open[place].columns.removeAll()
            open[place].versions.removeAll()
            open[place].notations.removeAll(keepingCapacity: true)
        }

        mutating func flushAll() {
            for place in open.indices { flush(place) }
        }
    }
}

/// A packed fragment of the samples of one type, origin and UTC day.
struct PageFragment: Sendable {
    var type: UInt16
    var origin: UInt32
    var day: CalendarDay
    var bytes: [UInt8]
    /// Figures of the samples if they are in canonical order; without other fragments they are then the page.
    var canonical: Content?
    /// By row, the position in the order of reading of samples that have an identifier with a version.
    var versions: [Int: Int64]
    /// The position of the feed's delivery in `SourceReading.statements`.
    var statement: Int?

    /// Figures of the samples.
    struct Content: Sendable {
        let summary: SamplePageSummary
        /// The duration of the longest sample in milliseconds.
        let longestSample: Int64

        /// Computes the figures; `nil` if there are no samples.
        init?(of columns: SampleColumns) {
            guard let summary = SamplePageSummary(of: columns), let longest = columns.durations.max() else {
                return nil
            }
            (self.summary, longestSample) = (summary, longest)
        }
    }
}

/// All samples that a source delivered.
struct AssembledSamples: Sendable {
    var tables: SampleBatch.Tables
    var fragments: [PageFragment]
    /// The zones that the samples state.
    var statedZones: StatedZones

    /// The types that have samples; the tables may contain more.
    var deliveredTypes: [SampleType] { Set(fragments.map(\.type)).map { tables.types[Int($0)].type } }
}

extension SampleColumns {
    /// Removes the samples and keeps the allocated memory.
    mutating func removeAll() {
        starts.removeAll(keepingCapacity: true)
        durations.removeAll(keepingCapacity: true)
        values.removeAll(keepingCapacity: true)
        zones.removeAll(keepingCapacity: true)
        zoneNames.removeAll(keepingCapacity: true)
        details.removeAll()
        written.removeAll(keepingCapacity: true)
        notations.removeAll(keepingCapacity: true)
    }
}
