import HealthSyncDomain

/// Decodes the start tags of records into rows of a batch.
struct RecordDecoder {
    /// The number of rows of a full batch.
    static let batchSize = 8192
    var interners: RecordInterners
    /// The rows that were not yet delivered.
    private(set) var batch = SampleBatch()
    private var origins = OriginInterner()
    private var notations: [ValueNotation: UInt16] = [:]
    private var dates = ExportDateParser()
    let decimals = DecimalParser()

    /// Creates a decoder that uses `interners`.
    init(_ interners: RecordInterners) { self.interners = interners }

    /// Decodes a tag into `row`; returns the reason if it is rejected.
    @inline(__always)
    mutating func decode(_ tag: RecordTag, _ window: ByteWindow, into row: inout RecordRow) -> RejectionReason? {
        guard tag.type.id >= 0 else { return tag.type == .overflow ? .tooMany : .noType }
        guard tag.type.faults.isEmpty else { return .damagedType }
        guard !tag.isContradictory else { return .contradiction }
        guard tag.has(.startDate), tag.has(.endDate), let start = dates.milliseconds(window, tag.startDate),
            let end = dates.milliseconds(window, tag.endDate)
        else { return .badDate }
        guard end >= start else { return .endBeforeStart }
        guard start >= PlausibleTime.firstMillisecond, end < PlausibleTime.endMillisecond else {
            return .implausibleYear
        }
        guard tag.source != .overflow, tag.device != .overflow else { return .tooMany }
        (row.value, row.aggregate, row.written) = (0, nil, .unknown)
        let id = Int(tag.type.id)
        if let reason = interners.types.states[id].isCategory
            ? decodeState(tag, id, window, into: &row) : decodeQuantity(tag, id, window, into: &row)
        {
            return reason
        }
        guard let type = interners.types.tableIndex(id, in: &batch.tables) else { return .tooMany }
        (row.type, row.source, row.device) = (type, tag.source.id, tag.device.id)
        (row.start, row.duration) = (start, end &- start)
        row.faults = tag.faults
        return nil
    }

    /// Appends the row of a complete record; returns the reason if it is rejected.
    @inline(__always)
    mutating func append(
        _ row: RecordRow, _ metadata: RecordMetadata, _ identity: RecordIdentity?
    ) -> RejectionReason? {
        guard let origin = originIndex(row, metadata) else { return .tooMany }
        if row.aggregate != nil || identity != nil { noteDetail(row.aggregate, identity) }
        batch.types.append(row.type)
        batch.origins.append(origin)
        batch.starts.append(row.start)
        batch.durations.append(row.duration)
        batch.values.append(row.value)
        batch.zones.append(metadata.zone)
        batch.written.append(row.written)
        return nil
    }

    /// Records the rarely used details of the next row.
    private mutating func noteDetail(_ aggregate: RecordAggregate?, _ identity: RecordIdentity?) {
        let versioned = identity?.versioned
        guard aggregate != nil || versioned != nil else { return }
        batch.details[batch.count] = SampleDetail(
            externalID: versioned?.identifier, syncVersion: versioned?.version, minimum: aggregate?.minimum,
            maximum: aggregate?.maximum, measurementCount: aggregate?.measurementCount)
    }

    /// Sets the progress of the reading in the batch; the size that an archive states may be wrong.
    mutating func note(bytesRead: Int64, of size: Int64) {
        batch.shareRead = size > 0 ? min(1, Double(bytesRead) / Double(size)) : nil
    }

    /// Removes the rows after they were delivered.
    mutating func removeAll() { batch.removeAll() }

    /// Returns the instant in `range`.
    mutating func instant(_ window: ByteWindow, _ range: ByteRange) -> Instant? {
        dates.milliseconds(window, range).map(Instant.init(milliseconds:))
    }

    /// Returns the number of the notation of values in `unit`; 0 if the table is full. Call it once for each unit of a
    /// type.
    private mutating func notation(of unit: String, _ conversion: UnitConversion, canonicalUnit: String) -> UInt16 {
        let notation = ValueNotation(
            unit: unit, conversion: conversion, dropsZeros: true, canonicalUnit: canonicalUnit)
        if let known = notations[notation] { return known }
        guard batch.tables.notations.count < Int(UInt16.max) else { return 0 }
        batch.tables.notations.append(notation)
        let number = UInt16(batch.tables.notations.count)
        notations[notation] = number
        return number
    }

    /// Returns the index of the zone named in `range` plus 1; 0 if the table is full.
    mutating func zone(_ window: ByteWindow, _ range: ByteRange) -> UInt16 {
        let id = Int(interners.zones.intern(window, range).id)
        guard id >= 0, id < Int(UInt16.max) else { return 0 }
        while batch.tables.zoneNames.count <= id {
            batch.tables.zoneNames.append(interners.zones.strings[batch.tables.zoneNames.count])
        }
        return UInt16(id + 1)
    }

    @inline(__always)
    private mutating func originIndex(
        _ row: RecordRow, _ metadata: RecordMetadata
    ) -> UInt32? {
        let (source, device, isUserEntered) = (row.source, row.device, metadata.isUserEntered)
        return origins.index(
            source: source, device: device, isUserEntered: isUserEntered, in: &batch.tables
        ) { [interners] in
            SampleOrigin(
                sourceName: source >= 0 ? interners.sources.strings[Int(source)] : "",
                device: device >= 0 ? interners.devices.strings[Int(device)] : "", isUserEntered: isUserEntered)
        }
    }
}

extension RecordDecoder {
    /// Decodes the values of a quantity into `row`; returns the reason if that fails.
    @inline(__always)
    private mutating func decodeQuantity(
        _ tag: RecordTag, _ id: Int, _ window: ByteWindow, into row: inout RecordRow
    ) -> RejectionReason? {
        guard let conversion = conversion(id, tag.unit) else { return .unknownUnit }
        if tag.has(.value) {
            guard let value = converted(tag.value, conversion, window, &row.written.scale) else { return .badValue }
            row.value = value
            row.written.notation = interners.types.states[id].notation
        }
        if tag.has(.average) || tag.has(.min) || tag.has(.max) || tag.has(.recordCount) {
            return decodeAggregate(tag, id, conversion, window, into: &row)
        }
        return tag.has(.value) ? nil : .noValue
    }

    /// Decodes an hourly aggregate of the oldest exports, which have an average and no value.
    private mutating func decodeAggregate(
        _ tag: RecordTag, _ id: Int, _ conversion: UnitConversion, _ window: ByteWindow,
        into row: inout RecordRow
    ) -> RejectionReason? {
        var aggregate = RecordAggregate()
        if tag.has(.recordCount) {
            guard let number = decimals.number(window, tag.recordCount), let count = Int(exactly: number), count >= 0
            else { return .badValue }
            aggregate.measurementCount = count
        }
        if tag.has(.min) {
            guard let minimum = converted(tag.minimum, conversion, window) else { return .badValue }
            aggregate.minimum = minimum
        }
        if tag.has(.max) {
            guard let maximum = converted(tag.maximum, conversion, window) else { return .badValue }
            aggregate.maximum = maximum
        }
        if tag.has(.recordCount) || tag.has(.min) || tag.has(.max) { row.aggregate = aggregate }
        if tag.has(.value) { return nil }
        guard tag.has(.average) else { return .noValue }
        var scale: Int8 = 0
        guard let average = converted(tag.average, conversion, window, &scale) else { return .badValue }
        guard interners.types.states[id].isCumulative else {
            row.value = average
            row.written = WrittenValue(notation: interners.types.states[id].notation, scale: scale)
            return nil
        }
        // A sum follows from an average only together with the number of measurements.
        guard let count = aggregate.measurementCount else { return .noValue }
        row.value = average * Double(count)
        return PlausibleValue.contains(row.value) ? nil : .badValue
    }

    /// Decodes the state of a category into `row`: by number, by name, or 0 if the type has only one.
    private mutating func decodeState(
        _ tag: RecordTag, _ id: Int, _ window: ByteWindow, into row: inout RecordRow
    ) -> RejectionReason? {
        guard tag.has(.value) else { return interners.types.mayLackValue(id) ? nil : .noValue }
        let first = window[tag.value.start]
        if tag.value.count > 0, first != 0x48, let number = decimals.number(window, tag.value) {
            guard let state = Int32(exactly: number) else { return .badValue }
            row.value = Double(state)
            return nil
        }
        guard let state = interners.types.state(id, window, tag.value) else { return .unknownState }
        row.value = Double(state)
        return nil
    }

    /// Returns a description of the unit problem of a rejected tag.
    func unitProblem(_ tag: RecordTag) -> String {
        let unit = Int(tag.unit.id)
        return UnitProblem.text(
            interners.units.strings.indices.contains(unit) ? interners.units.strings[unit] : nil,
            of: interners.types.name(Int(tag.type.id)))
    }

    /// Returns a description of the unknown state of a rejected tag.
    mutating func stateProblem(_ tag: RecordTag, _ window: ByteWindow) -> String {
        let type = typeName(of: tag)
        guard let name = interners.types.stateName(window, tag.value) else { return "unknown value of \(type)" }
        return "\(name.prefix(64)) is not a value of \(type)"
    }

    /// Returns the name of the type of a tag, which must be known.
    func typeName(of tag: RecordTag) -> String { interners.types.name(Int(tag.type.id)) }

    /// Returns whether the records of a tag's type are not read although all types are selected.
    @inline(__always)
    func isUnread(_ tag: RecordTag) -> Bool {
        tag.type.id >= 0 && interners.types.states[Int(tag.type.id)].isUnread
    }

    @inline(__always)
    private mutating func conversion(_ id: Int, _ unit: InternedText) -> UnitConversion? {
        guard unit != .overflow else { return nil }
        if interners.types.states[id].lastUnit == unit.id { return interners.types.states[id].conversion }
        let name = unit.id >= 0 ? interners.units.strings[Int(unit.id)] : nil
        let conversion = interners.types.newConversion(id, unitID: unit.id, unit: name)
        if let conversion {
            interners.types.setNotation(
                notation(of: name ?? "", conversion, canonicalUnit: interners.types.unit(id)), of: id)
        }
        return conversion
    }

    @inline(__always)
    private func converted(_ range: ByteRange, _ conversion: UnitConversion, _ window: ByteWindow) -> Double? {
        var scale: Int8 = 0
        return converted(range, conversion, window, &scale)
    }

    @inline(__always)
    private func converted(
        _ range: ByteRange, _ conversion: UnitConversion, _ window: ByteWindow, _ scale: inout Int8
    ) -> Double? {
        guard let number = decimals.number(window, range, &scale) else { return nil }
        let value = conversion(number)
        return PlausibleValue.contains(value) ? value : nil
    }
}

/// A decoded record that is not yet in the batch.
struct RecordRow {
    /// The index of the type in the tables.
    var type: UInt16 = 0
    /// The number of the source's name.
    var source: Int32 = 0
    /// The number of the device's stable part.
    var device: Int32 = 0
    /// Milliseconds since 1970.
    var start: Int64 = 0
    /// Milliseconds.
    var duration: Int64 = 0
    /// In the canonical unit.
    var value: Double = 0
    /// How the value is written.
    var written = WrittenValue.unknown
    /// The aggregate behind the value, if there is one.
    var aggregate: RecordAggregate?
    /// The tolerated faults.
    var faults: AttributeFaults = []
}

/// The aggregate behind the value of an hourly record, as in the oldest exports.
struct RecordAggregate {
    /// The smallest measurement, in the canonical unit.
    var minimum: Double?
    /// The largest measurement, in the canonical unit.
    var maximum: Double?
    /// The number of measurements.
    var measurementCount: Int?
}

/// The common metadata of a record from its `MetadataEntry` children.
struct RecordMetadata {
    /// `HKWasUserEntered`.
    var isUserEntered = false
    /// The index of `HKTimeZone` in the tables plus 1, or 0 for none.
    var zone: UInt16 = 0
}

/// The identity of a record from its `MetadataEntry` children. Few records have one, so its strings are kept apart from
/// the data of every record.
///
/// `HKExternalUUID` is ignored: HealthKit does not enforce its uniqueness, and some apps give a whole session or night
/// the same one.
struct RecordIdentity {
    /// `HKMetadataKeySyncIdentifier`.
    var syncIdentifier: String?
    /// `HKMetadataKeySyncVersion`.
    var syncVersion: Int64?

    /// The identifier and version, which HealthKit requires together; `nil` unless both exist.
    fileprivate var versioned: (identifier: String, version: Int64)? {
        guard let syncIdentifier, let syncVersion else { return nil }
        return (syncIdentifier, syncVersion)
    }
}
