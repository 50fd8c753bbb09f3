import HealthSyncDomain

/// Turns the start tags of records into rows of a batch.
struct RecordDecoder {
    /// Rows after which a batch is handed on.
    static let batchSize = 8192
    var interners: RecordInterners
    /// The rows that were not handed on yet.
    private(set) var batch = SampleBatch()
    private var origins = OriginInterner()
    private var dates = ExportDateParser()
    let decimals = DecimalParser()

    /// Decodes with the numbers of `interners`.
    init(_ interners: RecordInterners) { self.interners = interners }

    /// Writes what a tag says into `row`; returns why it makes no row.
    @inline(__always)
    mutating func decode(_ tag: RecordTag, _ window: ByteWindow, into row: inout RecordRow) -> RefusalReason? {
        guard tag.type.id >= 0 else { return tag.type == .overflow ? .tooMany : .noType }
        guard !tag.contradictsItself else { return .contradiction }
        guard tag.has(.startDate), tag.has(.endDate), let start = dates.milliseconds(window, tag.startDate),
            let end = dates.milliseconds(window, tag.endDate)
        else { return .badDate }
        guard end >= start else { return .endBeforeStart }
        guard start >= PlausibleTime.firstMillisecond, end < PlausibleTime.endMillisecond else {
            return .implausibleYear
        }
        guard tag.source != .overflow, tag.device != .overflow else { return .tooMany }
        (row.value, row.aggregate) = (0, nil)
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

    /// Adds a row whose record is over.
    @inline(__always)
    mutating func append(
        _ row: RecordRow, _ metadata: RecordMetadata, _ identity: RecordIdentity?
    ) -> RefusalReason? {
        guard let origin = originIndex(row, metadata) else { return .tooMany }
        if row.aggregate != nil || identity != nil { noteDetail(row.aggregate, identity) }
        batch.types.append(row.type)
        batch.origins.append(origin)
        batch.starts.append(row.start)
        batch.durations.append(row.duration)
        batch.values.append(row.value)
        batch.zones.append(metadata.zone)
        return nil
    }

    /// Notes what only few samples carry, of the row that comes next.
    private mutating func noteDetail(_ aggregate: RecordAggregate?, _ identity: RecordIdentity?) {
        let versioned = identity?.versioned
        guard aggregate != nil || versioned != nil else { return }
        batch.details[batch.count] = SampleDetail(
            externalID: versioned?.identifier, syncVersion: versioned?.version, minimum: aggregate?.minimum,
            maximum: aggregate?.maximum, measurementCount: aggregate?.measurementCount)
    }

    /// Says in the batch how far the reading is; what an archive claims of its size need not be true.
    mutating func note(bytesRead: Int64, of size: Int64) {
        batch.shareRead = size > 0 ? min(1, Double(bytesRead) / Double(size)) : nil
    }

    /// Forgets the rows, after they were handed on.
    mutating func removeAll() { batch.removeAll() }

    /// The instant that the bytes of `range` name.
    mutating func instant(_ window: ByteWindow, _ range: ByteRange) -> Instant? {
        dates.milliseconds(window, range).map(Instant.init(milliseconds:))
    }

    /// One more than the index of the zone named in `range`; 0 when there is no room.
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
