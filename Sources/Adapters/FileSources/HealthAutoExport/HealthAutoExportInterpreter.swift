import HealthSyncDomain
import HealthSyncPorts

/// Converts entries to samples: types, units, buckets, nights, origins.
struct HealthAutoExportInterpreter {
    /// The samples of one entry.
    struct Samples {
        var delivered: [SampleDelivery.Sample] = []
        /// The types of samples that are not selected, one for each sample.
        var notSelected: [SampleType] = []
    }

    /// The units of a time, in milliseconds.
    private static let lengths: [String: Double] = ["hr": 3_600_000, "h": 3_600_000, "min": 60_000, "s": 1000]
    /// The longest session without an end, in milliseconds.
    private static let longestSession = 86_400_000.0

    private var types: SelectedTypes
    private let clock: DayClock?
    private var spacing = BucketSpacing()
    private var written: Instant?
    private var hasLocalTimes = false
    private var alternatives = BucketAlternatives()
    /// The starts of the nights of one source that ended on the same day, in file order.
    private var nights: [String: [Instant]] = [:]

    init(_ selection: SampleSelection, clock: DayClock?) {
        types = SelectedTypes(selection)
        self.clock = clock
    }

    /// Starts a new file with buckets of `spacing`.
    mutating func begin(_ file: HealthAutoExportFile, spacing: BucketSpacing) {
        self.spacing = spacing
        written = file.written
        hasLocalTimes = file.hasLocalTimes
        alternatives = BucketAlternatives()
        nights = [:]
    }

    mutating func samples(
        of datum: HealthAutoExportDatum, as metric: HealthAutoExportMetric, unit: String?
    ) throws(RejectedRecord) -> Samples {
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
            guard let definition = try types.selected(SampleTypeDefinition.sleepAnalysis.type, unit: nil) else {
                return Samples(notSelected: [SampleTypeDefinition.sleepAnalysis.type])
            }
            return HealthAutoExportNight.isNight(datum)
                ? try night(datum, definition, unit ?? "hr") : try sleepStretch(datum, definition)
        case .mindfulness: return try mindfulness(datum, unit ?? "min")
        }
    }

    private struct Figure {
        let type: SampleType
        let kind: SampleKind
        let value: Double?
    }

    private mutating func quantity(
        _ datum: HealthAutoExportDatum, _ figure: Figure, _ unit: String?
    ) throws(RejectedRecord) -> Samples {
        let ownUnit = unit.map(HealthAutoExportUnit.healthKitUnit)
        guard let definition = try types.selected(figure.type, kind: figure.kind, unit: ownUnit) else {
            return Samples(notSelected: [figure.type])
        }
        guard let stated = figure.value else { throw RejectedRecord("an entry without a value") }
        guard let unit, let conversion = HealthAutoExportUnit.conversion(from: unit, to: definition) else {
            throw RejectedRecord(
                "the unit is missing or does not fit the type",
                detail: UnitProblem.text(unit, of: definition.type.rawValue))
        }
        let value = unit == "%" ? try Percentage.checked(stated) : stated
        guard PlausibleValue.contains(conversion(value)) else { throw RejectedRecord("a value is out of range") }
        let hasRange = datum.minimum != nil || datum.maximum != nil
        let (whole, isBucket) = try time(
            of: datum, definition.kind == .cumulative ? .sum(figure.type) : hasRange ? .rate : .measurement)
        let interval = isBucket ? untilWritten(whole) : whole
        var counted = conversion(value)
        if isBucket, definition.kind == .cumulative {
            counted = alternatives.largest(counted, of: datum.sources, type: definition.type, in: whole)
        }
        var detail = SampleDetail()
        detail.minimum = datum.minimum.map { conversion($0) }
        detail.maximum = datum.maximum.map { conversion($0) }
        guard PlausibleValue.contains(detail.minimum), PlausibleValue.contains(detail.maximum) else {
            throw RejectedRecord("a value is out of range")
        }
        return Samples(delivered: [
            SampleDelivery.Sample(
                definition: definition, origin: origin(datum.sources, isBucket: isBucket), interval: interval,
                value: counted, zoneName: zoneName(of: datum, from: whole.start, isBucket: isBucket),
                detail: detail == SampleDetail() ? nil : detail,
                written: counted == conversion(value)
                    ? WrittenNumber(
                        value, decimals: nil, unit: unit, conversion: conversion, canonicalUnit: definition.unit)
                    : nil)
        ])
    }

    /// Returns the part of a bucket that had passed when the file was written.
    private func untilWritten(_ bucket: InstantRange) -> InstantRange {
        guard let written else { return bucket }
        let duration = UnfinishedBucket.duration(
            start: bucket.start.milliseconds, duration: bucket.milliseconds, statedAt: written.milliseconds)
        return InstantRange(start: bucket.start, end: bucket.start.advanced(byMilliseconds: duration))
    }

    /// Returns the interval of an entry and whether it is a bucket.
    private func time(
        of datum: HealthAutoExportDatum, _ entry: BucketSpacing.Entry
    ) throws(RejectedRecord) -> (interval: InstantRange, isBucket: Bool) {
        let date = try self.date(datum.date)
        if let start = try self.date(datum.start ?? datum.startDate),
            let end = try self.date(datum.end ?? datum.endDate)
        {
            let stated = try PlausibleTime.interval(from: start.instant, to: end.instant)
            if BucketSpacing.isBucket(stated, from: start) { return (stated, true) }
            // A date that differs from the start is the bucket's; start and end are its first and last measurement.
            guard let date, date.instant != start.instant, spacing.length(at: date, entry) != nil else {
                return (stated, datum.sources.count > 1 || datum.minimum != nil || datum.maximum != nil)
            }
        }
        guard let date else { throw RejectedRecord("an entry without a date") }
        let bucket = spacing.length(at: date, entry).map { BucketSpacing.interval(from: date, $0, clock: clock) }
        let interval = bucket ?? InstantRange(start: date.instant, end: date.instant)
        return (try PlausibleTime.interval(from: interval.start, to: interval.end), bucket != nil)
    }

    /// Returns the UTC offset of the clock by which the app made a bucket, in place of a zone: the bucket's day is the
    /// day of that clock. A local time was read in a zone of the user: if it is read in another one, it replaces the
    /// former (`MovedLocalTimes`).
    private func zoneName(of datum: HealthAutoExportDatum, from start: Instant, isBucket: Bool) -> String? {
        if hasLocalTimes, let clock { return clock.rules(on: clock.day(of: start)).identifier }
        guard isBucket, let text = datum.date ?? datum.startDate ?? datum.start else { return nil }
        return (UTCOffset.seconds(text.suffix(5)) ?? UTCOffset.seconds(text.suffix(6))).map(UTCOffset.text)
    }

    private func date(_ text: String?) throws(RejectedRecord) -> HealthAutoExportDate? {
        guard let text, !text.isEmpty else { return nil }
        if let date = HealthAutoExportDate(text) { return date }
        throw hasLocalTimes && HealthAutoExportDate(text + " +0000") != nil
            ? RejectedRecord("a local time that the time zone skips") : RejectedRecord("an invalid date")
    }

    /// Returns the origin. A bucket is computed from all data on the phone, regardless of the sources that it names.
    /// These vary during a day, and the later value must replace the earlier one.
    private func origin(_ sources: [String], isBucket: Bool) -> SampleOrigin {
        isBucket || sources.isEmpty
            ? SampleOrigin(sourceName: HealthAutoExportDatum.feedName, isPreAggregated: isBucket)
            : SampleOrigin(sourceName: sources.joined(separator: "|"))
    }

    private func sleepStretch(
        _ datum: HealthAutoExportDatum, _ definition: SampleTypeDefinition
    ) throws(RejectedRecord) -> Samples {
        guard let start = try date(datum.startDate ?? datum.start), let end = try date(datum.endDate ?? datum.end)
        else {
            throw RejectedRecord("sleep without start or end")
        }
        return Samples(delivered: [
            SampleDelivery.Sample(
                definition: definition, origin: origin(datum.sources, isBucket: false),
                interval: try PlausibleTime.interval(from: start.instant, to: end.instant),
                value: Double(try SleepStateName.value(datum.value)), zoneName: nil, detail: nil)
        ])
    }

    /// Returns a session from its start to its end, or from its date on as long as its time.
    private mutating func mindfulness(
        _ datum: HealthAutoExportDatum, _ unit: String
    ) throws(RejectedRecord) -> Samples {
        guard let definition = try types.selected(HealthAutoExportMetric.mindfulSession, kind: .category, unit: nil)
        else { return Samples(notSelected: [HealthAutoExportMetric.mindfulSession]) }
        let stated = try date(datum.start ?? datum.startDate)
        let moment = try date(datum.date)
        guard let start = stated ?? moment else { throw RejectedRecord("an entry without a date") }
        var end = try date(datum.end ?? datum.endDate)?.instant
        if end == nil {
            guard let length = Self.lengths[unit] else {
                throw RejectedRecord(
                    "the unit is missing or does not fit the type",
                    detail: UnitProblem.text(unit, of: definition.type.rawValue))
            }
            guard let time = datum.qty, (0...Self.longestSession).contains(time * length) else {
                throw RejectedRecord("an entry without a value")
            }
            end = start.instant.advanced(byMilliseconds: Int64((time * length).rounded()))
        }
        return Samples(delivered: [
            SampleDelivery.Sample(
                definition: definition, origin: origin(datum.sources, isBucket: false),
                interval: try PlausibleTime.interval(from: start.instant, to: end ?? start.instant), value: 0,
                zoneName: nil, detail: nil)
        ])
    }

    private mutating func night(
        _ datum: HealthAutoExportDatum, _ definition: SampleTypeDefinition, _ unit: String
    ) throws(RejectedRecord) -> Samples {
        guard let length = Self.lengths[unit] else {
            throw RejectedRecord(
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

    /// Returns a name that stays the same while the app corrects the start and end of a night; a second night on a day
    /// gets a number.
    private mutating func identity(ofNightEnding day: CalendarDay, start: Instant, _ source: String) -> String {
        let key = "HealthAutoExport/sleep/\(day)/\(source)"
        let index = nights[key]?.firstIndex(of: start) ?? nights[key]?.count ?? 0
        if index == nights[key]?.count ?? 0 { nights[key, default: []].append(start) }
        return index == 0 ? key : "\(key)/\(index + 1)"
    }
}

/// The sums that a file contains for one bucket from different sources: they counted the same activity, so the largest
/// counts.
private struct BucketAlternatives {
    private struct Bucket: Hashable {
        let type: SampleType
        let interval: InstantRange
    }

    private struct Statement {
        let sources: [String]
        let value: Double
    }

    private var first: [Bucket: Statement] = [:]
    /// The sums of buckets with several entries.
    private var all: [Bucket: [[String]: Double]] = [:]

    /// Returns the largest sum of the bucket, including `value` of `sources`, which replaces an earlier value of the
    /// same sources.
    mutating func largest(
        _ value: Double, of sources: [String], type: SampleType, in interval: InstantRange
    ) -> Double {
        let bucket = Bucket(type: type, interval: interval)
        guard let known = first[bucket] else {
            first[bucket] = Statement(sources: sources, value: value)
            return value
        }
        all[bucket, default: [known.sources: known.value]][sources] = value
        return all[bucket]?.values.max() ?? value
    }
}

/// A night for which the app only provides sums: the time in each state, and the start and end of the night.
private struct HealthAutoExportNight {
    /// The time in one state.
    struct Part {
        /// HealthKit's number for the state.
        let value: Int
        let interval: InstantRange
        let milliseconds: Int64
    }

    private static let longest: Int64 = 48 * 3_600_000

    let parts: [Part]
    /// The local day on which the night ended, which stays the same while the values of a night grow.
    let wakeDay: CalendarDay
    let end: Instant

    static func isNight(_ datum: HealthAutoExportDatum) -> Bool {
        datum.sleepStart != nil || datum.sleepEnd != nil || datum.inBedStart != nil || datum.inBedEnd != nil
    }

    /// Reads the older and the newer form; `hour` is the unit of the values in milliseconds.
    init(_ datum: HealthAutoExportDatum, unitMilliseconds hour: Double) throws(RejectedRecord) {
        let sleep = try Self.stretch(datum.sleepStart, datum.sleepEnd)
        let bed = try Self.stretch(datum.inBedStart, datum.inBedEnd)
        guard let last = sleep ?? bed else { throw RejectedRecord("a night without start or end") }
        wakeDay = last.end.day
        end = last.end.instant
        var parts: [Part] = []
        for (value, figure, stretch) in [
            (0, datum.inBed, bed ?? sleep), (1, Self.unspecified(datum), sleep), (2, datum.awake, sleep),
            (3, datum.core, sleep), (4, datum.deep, sleep), (5, datum.rem, sleep),
        ] {
            guard let figure, figure != 0, let stretch else { continue }
            let milliseconds = (figure * hour).rounded()
            guard milliseconds > 0, milliseconds <= Double(Self.longest) else {
                throw RejectedRecord("a value of a night is out of range")
            }
            parts.append(Part(value: value, interval: stretch.interval, milliseconds: Int64(milliseconds)))
        }
        guard !parts.isEmpty else { throw RejectedRecord("a night without values") }
        self.parts = parts
    }

    private typealias Stretch = (interval: InstantRange, end: HealthAutoExportDate)

    private static func stretch(_ start: String?, _ end: String?) throws(RejectedRecord) -> Stretch? {
        guard let start, let end, !start.isEmpty, !end.isEmpty else { return nil }
        guard let first = HealthAutoExportDate(start), let last = HealthAutoExportDate(end) else {
            throw RejectedRecord("an invalid date")
        }
        let interval = try PlausibleTime.interval(from: first.instant, to: last.instant)
        guard interval.milliseconds <= longest else { throw RejectedRecord("a night longer than two days") }
        return (interval, last)
    }

    /// Returns the sleep without a stage. The older form has no stages, and `asleep` is all sleep. In the newer form it
    /// is the unspecified part, unless it equals the sum of the stages.
    private static func unspecified(_ datum: HealthAutoExportDatum) -> Double? {
        guard datum.core != nil || datum.deep != nil || datum.rem != nil else {
            return datum.asleep ?? datum.totalSleep
        }
        let staged = (datum.core ?? 0) + (datum.deep ?? 0) + (datum.rem ?? 0)
        guard let asleep = datum.asleep else { return nil }
        return staged > 0 && (asleep - staged).magnitude <= 1e-9 * staged ? nil : asleep
    }
}

/// Maps the app's spelling of units to HealthKit's.
private enum HealthAutoExportUnit {
    private static let spellings: [String: [String]] = [
        "bpm": ["count/min"], "BPM": ["count/min"], "breaths/min": ["count/min"], "steps": ["count"],
        "lbs": ["lb"], "hour": ["hr"], "hours": ["hr"], "h": ["hr"], "minutes": ["min"], "sec": ["s"],
        "kcal": ["Cal"], "Cal": ["kcal"], "ml/(kg·min)": ["mL/min·kg"], "ml/(kg*min)": ["mL/min·kg"],
        "mL/(kg·min)": ["mL/min·kg"], "kmph": ["km/hr"], "mph": ["mi/hr"], "°C": ["degC"], "°F": ["degF"],
        "dB": ["dBASPL"],
    ]

    /// Returns the conversion of values in `stated` to the unit of `definition`; `nil` if none exists.
    ///
    /// The app writes percentages as 0–100; HealthKit's `%` is a fraction.
    static func conversion(from stated: String, to definition: SampleTypeDefinition) -> UnitConversion? {
        let candidates = [stated] + (spellings[stated] ?? [])
        for unit in candidates {
            guard let conversion = definition.conversion(from: unit) else { continue }
            return unit == "%" ? UnitConversion(factor: conversion.factor / 100) : conversion
        }
        return nil
    }

    /// Returns HealthKit's spelling of `stated`, for a type that has no canonical unit yet.
    static func healthKitUnit(_ stated: String) -> String {
        stated == "kcal" || stated == "Cal" ? "kcal" : spellings[stated]?.first ?? stated
    }
}
