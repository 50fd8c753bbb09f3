import HealthSyncDomain
import HealthSyncPorts

/// Converts a line to a sample: types, units, times and identity.
struct JSONLineMeaning {
    private static let longestText = 1024

    private var types: SelectedTypes
    private let hasher: any ContentHasher

    init(_ selection: SampleSelection, hasher: any ContentHasher) {
        types = SelectedTypes(selection)
        self.hasher = hasher
    }

    /// Returns the sample in `line`; `nil` if its type is not selected.
    mutating func sample(of line: JSONLine) throws(RejectedRecord) -> SampleDelivery.Sample? {
        let type = try type(of: line)
        guard let definition = try types.selected(type, unit: line.unit) else { return nil }
        var sample = SampleDelivery.Sample(
            definition: definition, origin: try origin(of: line), interval: try interval(of: line),
            value: try value(of: line, as: definition), zoneName: try short(line.timeZone, "timeZone"), detail: nil)
        sample.detail = try detail(of: line, stating: sample)
        sample.written = written(line, as: definition)
        return sample
    }

    /// Returns the name of the type of a line of which `sample(of:)` returned `nil`.
    mutating func typeName(of line: JSONLine) -> String {
        (line.type.map { types.type(named: $0) } ?? SampleTypeDefinition.stepCount.type).rawValue
    }

    private mutating func type(of line: JSONLine) throws(RejectedRecord) -> SampleType {
        guard let name = try short(line.type, "type") else {
            guard line.count != nil else { throw RejectedRecord("type is missing") }
            return SampleTypeDefinition.stepCount.type
        }
        guard !name.isEmpty else { throw RejectedRecord("type is empty") }
        return types.type(named: name)
    }

    private func interval(of line: JSONLine) throws(RejectedRecord) -> InstantRange {
        guard let startText = line.startDate else { throw RejectedRecord("startDate is missing") }
        guard let endText = line.endDate else { throw RejectedRecord("endDate is missing") }
        guard let start = RFC3339.instant(startText) else { throw RejectedRecord("startDate is not an RFC 3339 time") }
        guard let end = RFC3339.instant(endText) else { throw RejectedRecord("endDate is not an RFC 3339 time") }
        return try PlausibleTime.interval(from: start, to: end)
    }

    private func origin(of line: JSONLine) throws(RejectedRecord) -> SampleOrigin {
        guard let name = try short(line.sourceBundleId, "sourceBundleId") else {
            throw RejectedRecord("sourceBundleId is missing")
        }
        return SampleOrigin(
            sourceName: name,
            device: DeviceText.stablePart(of: try short(line.sourceDeviceName, "sourceDeviceName") ?? ""),
            isUserEntered: line.wasUserEntered ?? false, isPreAggregated: line.preAggregated ?? false)
    }

    private func value(of line: JSONLine, as definition: SampleTypeDefinition) throws(RejectedRecord) -> Double {
        if let count = line.count { return try steps(count, of: line, as: definition) }
        switch line.value {
        case nil: throw RejectedRecord("value is missing")
        case .name(let name):
            guard let number = definition.categoryValues[name] else {
                throw RejectedRecord(
                    "value is not a known state of the type",
                    detail: StateProblem.text(name, of: definition.type.rawValue))
            }
            return Double(number)
        case .number(let number):
            guard let conversion = conversion(of: line, as: definition) else {
                throw RejectedRecord(
                    "unit is missing or does not fit the type",
                    detail: UnitProblem.text(line.unit, of: definition.type.rawValue))
            }
            guard PlausibleValue.contains(conversion(number)) else { throw RejectedRecord("value is out of range") }
            return conversion(number)
        }
    }

    /// Returns how the number of a line is written; `nil` for the name of a state.
    private func written(_ line: JSONLine, as definition: SampleTypeDefinition) -> WrittenNumber? {
        var number = line.count
        if case .number(let value)? = line.value { number = value }
        guard let number, let conversion = conversion(of: line, as: definition) else { return nil }
        return WrittenNumber(
            number, decimals: nil, unit: line.unit ?? definition.unit, conversion: conversion,
            canonicalUnit: definition.unit)
    }

    private func conversion(of line: JSONLine, as definition: SampleTypeDefinition) -> UnitConversion? {
        if let unit = line.unit { return definition.conversion(from: unit) }
        return ["", "count"].contains(definition.unit) ? UnitConversion(factor: 1) : nil
    }

    private func steps(
        _ count: Double, of line: JSONLine, as definition: SampleTypeDefinition
    ) throws(RejectedRecord) -> Double {
        guard definition.type == SampleTypeDefinition.stepCount.type else {
            throw RejectedRecord("count is used with a type other than steps")
        }
        // Beyond 2^53 a double cannot represent every integer.
        guard count >= 0, count <= 9_007_199_254_740_992, count == count.rounded(.towardZero) else {
            throw RejectedRecord("count is not a whole number of steps")
        }
        if case .number(let value) = line.value, value != count { throw RejectedRecord("count and value differ") }
        return count
    }

    private func detail(
        of line: JSONLine, stating sample: SampleDelivery.Sample
    ) throws(RejectedRecord) -> SampleDetail? {
        let conversion = conversion(of: line, as: sample.definition)
        let detail = SampleDetail(
            externalID: try externalID(of: line, stating: sample),
            // A version belongs to an identifier; a sample sent again under a uuid replaces the stored one.
            syncVersion: line.externalID == nil ? nil : line.syncVersion,
            minimum: line.minimum.map { conversion?($0) ?? $0 }, maximum: line.maximum.map { conversion?($0) ?? $0 },
            measurementCount: line.measurementCount,
            stateMilliseconds: line.stateMilliseconds)
        guard PlausibleValue.contains(detail.minimum), PlausibleValue.contains(detail.maximum) else {
            throw RejectedRecord("minimum or maximum is out of range")
        }
        return detail == SampleDetail() ? nil : detail
    }

    /// Returns the identity in the line. A uuid that follows from the content is ignored: otherwise every sample that
    /// was exported and read back would get an identity of its own.
    private func externalID(
        of line: JSONLine, stating sample: SampleDelivery.Sample
    ) throws(RejectedRecord) -> String? {
        if let id = try short(line.externalID, "externalID") { return id }
        guard let text = line.uuid else { return nil }
        guard let uuid = SampleID(text) else { throw RejectedRecord("uuid is not a UUID") }
        // Earlier versions exported a uuid that followed from the full device description, as in the line.
        let stated = SampleOrigin(
            sourceName: sample.origin.sourceName, device: line.sourceDeviceName ?? "",
            isUserEntered: sample.origin.isUserEntered, isPreAggregated: sample.origin.isPreAggregated)
        if uuid == contentID(of: sample, origin: sample.origin) { return nil }
        if stated != sample.origin, uuid == contentID(of: sample, origin: stated) { return nil }
        return uuid.description
    }

    private func contentID(of sample: SampleDelivery.Sample, origin: SampleOrigin) -> SampleID {
        let content = SampleID.hashedBytes(
            type: sample.definition.type, interval: sample.interval, value: sample.value, unit: sample.definition.unit,
            origin: origin)
        return unsafe content.withUnsafeBytes { unsafe SampleID(version5: hasher.sha1Prefix($0)) }
    }

    private func short(_ text: String?, _ field: String) throws(RejectedRecord) -> String? {
        if let text, text.utf8.count > Self.longestText { throw RejectedRecord("\(field) is too long") }
        return text
    }
}

/// A line of a JSON Lines file: the fields of `POST /steps` and the optional fields of a sample.
struct JSONLine: Decodable {
    var uuid: String?
    var type: String?
    var startDate: String?
    var endDate: String?
    /// The number of steps; replaces `value` if that is missing.
    var count: Double?
    var value: Value?
    var unit: String?
    /// The origin's source name.
    var sourceBundleId: String?
    /// The origin's device.
    var sourceDeviceName: String?
    var timeZone: String?
    var wasUserEntered: Bool?
    var preAggregated: Bool?
    var externalID: String?
    var syncVersion: Int64?
    var minimum: Double?
    var maximum: Double?
    var measurementCount: Int?
    var stateMilliseconds: Int64?

    /// Whether the line states which sample it is. What a later file or post states for the same start does not replace it.
    var isIdentified: Bool { uuid != nil || externalID != nil }

    /// A number, or the name of a category's state.
    enum Value: Decodable {
        case number(Double)
        case name(String)

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let number = try? container.decode(Double.self) {
                self = .number(number)
            } else {
                self = .name(try container.decode(String.self))
            }
        }
    }
}
