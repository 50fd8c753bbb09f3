import HealthSyncDomain
import HealthSyncPorts

/// Turns entries into samples: types, units, buckets, nights, origins.
struct HealthAutoExportInterpreter {
    /// What one entry says.
    struct Samples {
        var delivered: [SampleDelivery.Sample] = []
        /// Samples of types that were not asked for.
        var notSelected = 0
    }

    private var types: SelectedTypes
    private let clock: DayClock?
    private var spacing = BucketSpacing()
    private var written: Instant?
    private var alternatives = BucketAlternatives()
    /// Starts of the nights of a source that ended on one day, in the order of the file.
    private var nights: [String: [Instant]] = [:]

    init(_ selection: SampleSelection, clock: DayClock?) {
        types = SelectedTypes(selection)
        self.clock = clock
    }

    /// Forgets the file before; entries of the next, which was written at `written`, are at `spacing`.
    mutating func beginFile(spacing: BucketSpacing, written: Instant?) {
        self.spacing = spacing
        self.written = written
        alternatives = BucketAlternatives()
        nights = [:]
    }

    mutating func samples(
        of datum: HealthAutoExportDatum, as metric: HealthAutoExportMetric, unit: String?
    ) throws(RefusedRecord) -> Samples {
        let unit = unit.flatMap { $0.isEmpty ? nil : $0 }
        switch metric {
        case .quantity(let type, let kind, let assumedUnit):
            return try quantity(
                datum, Figure(type: type, kind: kind, value: datum.qty ?? datum.average), unit ?? assumedUnit)
        case .bloodPressure:
            let systolic = Figure(type: HealthAutoExportMetric.systolic, kind: .discrete, value: datum.systolic)
            let diastolic = Figure(type: HealthAutoExportMetric.diastolic, kind: .discrete, value: datum.diastolic)
            var samples = try quantity(datum, systolic, unit ?? "mmHg")
            let more = try quantity(datum, diastolic, unit ?? "mmHg")
            samples.delivered += more.delivered
            samples.notSelected += more.notSelected
            return samples
        case .sleep:
            guard let definition = types.definition(of: SampleTypeDefinition.sleepAnalysis.type, unit: nil) else {
                return Samples(notSelected: 1)
            }
            return HealthAutoExportNight.isNight(datum)
                ? try night(datum, definition, unit ?? "hr") : try sleepStretch(datum, definition)
        }
    }

    private struct Figure {
        let type: SampleType
        let kind: SampleKind
        let value: Double?
    }

    private mutating func quantity(
        _ datum: HealthAutoExportDatum, _ figure: Figure, _ unit: String?
    ) throws(RefusedRecord) -> Samples {
        let ownUnit = unit.map(HealthAutoExportUnit.healthKitUnit)
        guard let definition = types.definition(of: figure.type, kind: figure.kind, unit: ownUnit) else {
            return Samples(notSelected: 1)
        }
        guard let value = figure.value else { throw RefusedRecord("an entry without a figure") }
        guard let unit, let conversion = HealthAutoExportUnit.conversion(from: unit, to: definition) else {
            throw RefusedRecord(
                "the unit is missing or does not fit the type",
                detail: UnitProblem.text(unit, of: definition.type.rawValue))
        }
        guard conversion(value).isFinite else { throw RefusedRecord("a figure is out of range") }
        let isSum = definition.kind == .cumulative || datum.minimum != nil || datum.maximum != nil
        let (stated, isBucket) = try time(of: datum, isSum: isSum)
        let interval = isBucket ? untilWritten(stated) : stated
        var counted = conversion(value)
        if isBucket, definition.kind == .cumulative {
            counted = alternatives.largest(counted, of: datum.sources, type: definition.type, in: stated)
        }
        var detail = SampleDetail()
        detail.minimum = datum.minimum.map { conversion($0) }
        detail.maximum = datum.maximum.map { conversion($0) }
        guard detail.minimum?.isFinite ?? true, detail.maximum?.isFinite ?? true else {
            throw RefusedRecord("a figure is out of range")
        }
        return Samples(delivered: [
            SampleDelivery.Sample(
                definition: definition, origin: origin(datum.sources, isBucket: isBucket), interval: interval,
                value: counted, zoneName: isBucket ? Self.statedOffset(of: datum) : nil,
                detail: detail == SampleDetail() ? nil : detail)
        ])
    }

    /// What of a bucket was over when the file was written.
    private func untilWritten(_ bucket: InstantRange) -> InstantRange {
        guard let written else { return bucket }
        let duration = UnfinishedBucket.duration(
            start: bucket.start.milliseconds, duration: bucket.milliseconds, statedAt: written.milliseconds)
        return InstantRange(start: bucket.start, end: bucket.start.advanced(byMilliseconds: duration))
    }

    /// When an entry was measured, and whether it is a bucket.
    private func time(
        of datum: HealthAutoExportDatum, isSum: Bool
    ) throws(RefusedRecord) -> (interval: InstantRange, isBucket: Bool) {
        let date = try self.date(datum.date)
        if let start = try self.date(datum.start ?? datum.startDate),
            let end = try self.date(datum.end ?? datum.endDate)
        {
            let stated = try PlausibleTime.interval(from: start.instant, to: end.instant)
            if BucketSpacing.isBucket(stated, from: start) { return (stated, true) }
            // A date beside the start is the bucket's; start and end are then its first and last measurement.
            guard let date, date.instant != start.instant, spacing.length(at: date, isSum: isSum) != nil else {
                return (stated, datum.sources.count > 1 || datum.minimum != nil || datum.maximum != nil)
            }
        }
        guard let date else { throw RefusedRecord("an entry without a date") }
        let bucket = spacing.length(at: date, isSum: isSum).map { BucketSpacing.interval(from: date, $0, clock: clock) }
        let interval = bucket ?? InstantRange(start: date.instant, end: date.instant)
        return (try PlausibleTime.interval(from: interval.start, to: interval.end), bucket != nil)
    }

    /// The offset of the clock by which the app made a bucket, in place of a zone: its day is the one of that clock.
    private static func statedOffset(of datum: HealthAutoExportDatum) -> String? {
        guard let text = datum.date ?? datum.startDate ?? datum.start else { return nil }
        return (UTCOffset.seconds(text.suffix(5)) ?? UTCOffset.seconds(text.suffix(6))).map(UTCOffset.text)
    }

    private func date(_ text: String?) throws(RefusedRecord) -> HealthAutoExportDate? {
        guard let text, !text.isEmpty else { return nil }
        guard let date = HealthAutoExportDate(text) else { throw RefusedRecord("a date cannot be read") }
        return date
    }

    /// A bucket is a figure of the phone's whole database, whatever sources it names: they come and go while the day
    /// goes on, and the later figure must replace the earlier one.
    private func origin(_ sources: [String], isBucket: Bool) -> SampleOrigin {
        isBucket || sources.isEmpty
            ? SampleOrigin(sourceName: HealthAutoExportDatum.feedName, isPreAggregated: isBucket)
            : SampleOrigin(sourceName: sources.joined(separator: "|"))
    }

    private func sleepStretch(
        _ datum: HealthAutoExportDatum, _ definition: SampleTypeDefinition
    ) throws(RefusedRecord) -> Samples {
        guard let start = try date(datum.startDate ?? datum.start), let end = try date(datum.endDate ?? datum.end)
        else {
            throw RefusedRecord("sleep without start or end")
        }
        return Samples(delivered: [
            SampleDelivery.Sample(
                definition: definition, origin: origin(datum.sources, isBucket: false),
                interval: try PlausibleTime.interval(from: start.instant, to: end.instant),
                value: Double(try SleepStateName.value(datum.value)), zoneName: nil, detail: nil)
        ])
    }

    private mutating func night(
        _ datum: HealthAutoExportDatum, _ definition: SampleTypeDefinition, _ unit: String
    ) throws(RefusedRecord) -> Samples {
        let lengths: [String: Double] = ["hr": 3_600_000, "h": 3_600_000, "min": 60_000, "s": 1000]
        guard let length = lengths[unit] else {
            throw RefusedRecord(
                "the unit is missing or does not fit the type",
                detail: UnitProblem.text(unit, of: definition.type.rawValue))
        }
        let night = try HealthAutoExportNight(datum, unitMilliseconds: length)
        let source = datum.sources.isEmpty ? HealthAutoExportDatum.feedName : datum.sources.joined(separator: "|")
        let start = night.parts.map(\.interval.start).min() ?? night.end
        let identity = identity(ofNightEnding: night.wakeDay, start: start, source)
        return Samples(
            delivered: night.parts.map { part in
                SampleDelivery.Sample(
                    definition: definition, origin: SampleOrigin(sourceName: source, isPreAggregated: true),
                    interval: part.interval, value: Double(part.value), zoneName: nil,
                    detail: SampleDetail(
                        externalID: "\(identity)/\(part.value)", syncVersion: night.end.seconds,
                        stateMilliseconds: part.milliseconds))
            })
    }

    /// A name that stays while the app corrects when a night began and ended; a second night of a day gets a number.
    private mutating func identity(ofNightEnding day: CalendarDay, start: Instant, _ source: String) -> String {
        let key = "HealthAutoExport/sleep/\(day)/\(source)"
        let place = nights[key]?.firstIndex(of: start) ?? nights[key]?.count ?? 0
        if place == nights[key]?.count ?? 0 { nights[key, default: []].append(start) }
        return place == 0 ? key : "\(key)/\(place + 1)"
    }
}
