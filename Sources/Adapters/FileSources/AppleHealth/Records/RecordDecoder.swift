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
    mutating func notation(of unit: String, _ conversion: UnitConversion, canonicalUnit: String) -> UInt16 {
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
