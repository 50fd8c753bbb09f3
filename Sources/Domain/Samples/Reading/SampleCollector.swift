/// Performs the work that is common to all sources: selects types, converts units, packs batches and keeps the
/// account.
///
/// Call `add` or `reject` once for every sample record of the source, then return the result of `finish`:
///
/// ```swift
/// var samples = SampleCollector(selection, receive: receive)
/// for record in records {
///     guard let sample = sample(record) else { samples.reject("not a sample"); continue }
///     try samples.add(sample)
/// }
/// return try samples.finish()
/// ```
public struct SampleCollector {
    /// The account so far. Set `exportDate` for a snapshot, and `statedOffsets` if the source states UTC offsets.
    public var account = SourceReading()
    private var types: SelectedTypes
    private var batches: SampleBatchBuilder

    /// Creates a collector that passes the samples of `selection` to `receive` in batches of a few thousand.
    public init(_ selection: SampleSelection, receive: @escaping @Sendable (borrowing SampleBatch) throws -> Void) {
        types = SelectedTypes(selection)
        batches = SampleBatchBuilder(receive: receive)
    }

    /// Returns the type called `name`: a HealthKit identifier, or the short name of a known type, such as `stepCount`.
    public mutating func type(named name: String) -> SampleType { types.type(named: name) }

    /// Counts one record: delivers it in the unit of its definition, or counts it as not selected. A sample of an
    /// incompatible unit, a value beyond ±2^53, and a time outside the years 1900–2200 are rejected.
    ///
    /// - Parameter byteOffset: where the record begins, for the problem that is noted if it is rejected.
    /// - Throws: what the receiver throws.
    public mutating func add(_ sample: SourceSample, at byteOffset: Int64? = nil) throws {
        try add(sample, at: byteOffset, written: nil)
    }

    /// Counts one record whose value is `written` in another unit than that of the sample.
    package mutating func add(_ sample: SourceSample, at byteOffset: Int64?, written: WrittenNumber?) throws {
        let found: SampleTypeDefinition?
        do { found = try types.definition(of: sample.type, unit: sample.unit) } catch {
            return reject(TooManyTypes.reason, at: byteOffset)
        }
        guard let definition = found else {
            account.recordsRead += 1
            account.countNotSelected(sample.type.rawValue)
            return
        }
        guard let conversion = definition.conversion(from: sample.unit) else {
            return reject(
                "the unit does not fit the type",
                "unit \"\(sample.unit.prefix(64))\" is not a unit of \(sample.type.rawValue.prefix(64))", at: byteOffset
            )
        }
        let value = conversion(sample.value)
        guard PlausibleValue.contains(value), PlausibleValue.contains(sample.detail?.minimum),
            PlausibleValue.contains(sample.detail?.maximum)
        else { return reject("the value is out of range", at: byteOffset) }
        guard PlausibleTime.contains(sample.interval) else {
            return reject("a year outside 1900–2200", at: byteOffset)
        }
        account.recordsRead += 1
        try batches.add(
            SampleBatchBuilder.Sample(
                definition: definition, origin: sample.origin, interval: sample.interval, value: value,
                zoneName: sample.zoneName, detail: sample.detail,
                written: written
                    ?? WrittenNumber(
                        sample.value, decimals: sample.decimals, unit: sample.unit, conversion: conversion,
                        canonicalUnit: definition.unit)))
    }

    /// Counts one record that cannot be used.
    ///
    /// - Parameters:
    ///   - reason: the same text for the same kind of fault, without health values: records are counted by reason.
    ///   - byteOffset: where the record begins.
    public mutating func reject(_ reason: String, at byteOffset: Int64? = nil) {
        reject(reason, nil, at: byteOffset)
    }

    /// The same, with a text that names the type and what is wrong.
    package mutating func reject(_ reason: String, _ detail: String?, at byteOffset: Int64?) {
        account.recordsRead += 1
        account.rejected[reason, default: 0] += 1
        account.note("record rejected: \(detail ?? reason)", at: byteOffset)
    }

    /// Notes that the sample with this identifier was deleted where it was recorded, for a change stream.
    ///
    /// - Parameters:
    ///   - externalID: the identifier in `SampleDetail.externalID`, or the identifier of a record of several samples.
    ///   - type: the type of the sample, if the source states it.
    public mutating func delete(_ externalID: String, of type: SampleType? = nil) {
        account.deletions.append(DeletedSample(externalID: externalID, type: type))
    }

    /// Notes that the source contains all samples of `window`, for a change stream.
    public mutating func complete(_ window: CompleteWindow) { account.windows.append(window) }

    /// Notes the number of a delivery, for a change stream that numbers its deliveries.
    public mutating func deliver(_ number: DeliveryNumber) { account.deliveries.append(number) }

    /// Notes that the source ends in the middle of a record, which begins at `byteOffset` and is not counted.
    public mutating func breakOff(at byteOffset: Int64) {
        account.incompleteAtByte = byteOffset
        account.note("the source ends within a record", at: byteOffset)
    }

    /// Notes that the following samples belong to the delivery of a feed at this position in `account.statements`; `nil`
    /// for samples that are compared with no delivery.
    package mutating func begin(statement: Int?) throws { try batches.begin(statement: statement) }

    /// Hands over the last batch and returns the account.
    ///
    /// - Throws: what the receiver throws.
    public mutating func finish() throws -> SourceReading {
        if let problem = batches.zoneProblem { account.note(problem, at: nil) }
        try batches.flush()
        return account
    }
}

/// One sample as its source states it.
public struct SourceSample: Sendable, Hashable {
    /// The type of the sample.
    public var type: SampleType
    /// The unit of `value`, as the source spells it; empty for a category.
    public var unit: String
    /// The app or device that recorded it.
    public var origin: SampleOrigin
    /// Start and end; equal for a sample without length.
    public var interval: InstantRange
    /// In `unit`; for a category HealthKit's number of the state.
    public var value: Double
    /// IANA name of the zone that the source states for this sample; `nil` if it states none.
    public var zoneName: String?
    /// Further properties, which few samples have.
    public var detail: SampleDetail?
    /// The number of decimals with which the source writes `value`, which shows how exact it is: 2 for `1.50`, −3 for
    /// `1e3`. `nil` for those of the shortest text of the number.
    public var decimals: Int?

    /// Creates a sample with these properties.
    public init(
        type: SampleType, unit: String, origin: SampleOrigin, interval: InstantRange, value: Double,
        zoneName: String? = nil, detail: SampleDetail? = nil, decimals: Int? = nil
    ) {
        self.type = type
        self.unit = unit
        self.origin = origin
        self.interval = interval
        self.value = value
        self.zoneName = zoneName
        self.detail = detail
        self.decimals = decimals
    }
}
