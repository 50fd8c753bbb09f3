/// Samples of one type and one origin as columns: one array for each field instead of one value for each sample. Ten
/// years are millions of samples, and columns are read at the speed of memory.
///
/// All columns are as long as `starts`, except `zones`, which is empty if no sample has a zone.
public struct SampleColumns: Sendable, Hashable {
    /// Start instants, milliseconds since 1970.
    public var starts: [Int64] = []
    /// Durations in milliseconds, never negative; 0 for an instantaneous sample.
    public var durations: [Int64] = []
    /// Values in the canonical unit of the type, finite.
    public var values: [Double] = []
    /// For each sample one more than the index of its zone in `zoneNames`, or 0 for none; empty if no sample has a
    /// zone.
    public var zones: [UInt16] = []
    /// IANA names of the zones of samples (`HKTimeZone`), or the UTC offset of a feed's bucket, such as `+05:30`. At
    /// most 65,535; a sample with another zone after that is stored without one.
    public var zoneNames: [String] = []
    private var zoneNumbers = ZoneNumbers()
    /// How the source wrote each value; empty if that is known of no sample.
    package var written: [WrittenValue] = []
    /// The notations that `written` refers to, at most `mostNotations`.
    package var notations: [ValueNotation] = []
    /// Details by index; only few samples have them.
    public var details: [Int: SampleDetail] = [:]

    /// Creates columns without samples.
    public init() {}

    /// The number of samples.
    public var count: Int { starts.count }

    /// Whether there are no samples.
    public var isEmpty: Bool { starts.isEmpty }

    /// Returns the interval of the sample at `index`.
    public func interval(_ index: Int) -> InstantRange {
        InstantRange(
            start: Instant(milliseconds: starts[index]), end: Instant(milliseconds: starts[index] + durations[index]))
    }

    /// Returns the zone of the sample at `index`; `nil` if it has none.
    public func zoneName(_ index: Int) -> String? {
        guard !zones.isEmpty, zones[index] > 0 else { return nil }
        return zoneNames[Int(zones[index]) - 1]
    }

    /// The limit of notations: a page numbers them with one byte. A value in another notation counts as one of an
    /// unknown notation.
    package static let mostNotations = 255

    /// Appends one sample.
    public mutating func append(
        start: Int64, duration: Int64, value: Double, zoneName: String? = nil, detail: SampleDetail? = nil
    ) {
        append(
            start: start, duration: duration, value: value, zoneName: zoneName, detail: detail, written: .unknown)
    }

    /// Appends one sample whose value is written in a notation of these columns.
    package mutating func append(
        start: Int64, duration: Int64, value: Double, zoneName: String?, detail: SampleDetail?,
        written form: WrittenValue
    ) {
        if form.notation > 0, written.isEmpty, !starts.isEmpty {
            written = [WrittenValue](repeating: .unknown, count: starts.count)
        }
        if form.notation > 0 || !written.isEmpty { written.append(form) }
        if let detail { details[starts.count] = detail }
        if let zoneName {
            if zones.isEmpty { zones = [UInt16](repeating: 0, count: starts.count) }
            zones.append(number(ofZone: zoneName))
        } else if !zones.isEmpty {
            zones.append(0)
        }
        starts.append(start)
        durations.append(duration)
        values.append(value)
    }

    /// Appends the samples of `other`.
    public mutating func append(_ other: SampleColumns) {
        let offset = count
        if !other.zones.isEmpty || !zones.isEmpty {
            if zones.isEmpty { zones = [UInt16](repeating: 0, count: offset) }
            let mapped = other.zoneNames.map { number(ofZone: $0) }
            for row in 0..<other.count {
                zones.append(other.zones.isEmpty || other.zones[row] == 0 ? 0 : mapped[Int(other.zones[row]) - 1])
            }
        }
        for (row, detail) in other.details { details[offset + row] = detail }
        if !other.written.isEmpty || !written.isEmpty {
            if written.isEmpty { written = [WrittenValue](repeating: .unknown, count: offset) }
            let mapped = other.notations.map { number(of: $0) }
            if other.written.isEmpty { written += repeatElement(.unknown, count: other.count) }
            for form in other.written {
                let notation = form.notation == 0 ? 0 : mapped[Int(form.notation) - 1]
                written.append(notation == 0 ? .unknown : WrittenValue(notation: notation, scale: form.scale))
            }
        }
        starts.append(contentsOf: other.starts)
        durations.append(contentsOf: other.durations)
        values.append(contentsOf: other.values)
    }

    /// Returns the samples at `indices`, in that order.
    public func selecting(_ indices: [Int]) -> SampleColumns {
        var result = SampleColumns()
        result.starts = indices.map { starts[$0] }
        result.durations = indices.map { durations[$0] }
        result.values = indices.map { values[$0] }
        if !zones.isEmpty {
            result.zones = indices.map { zones[$0] }
            result.zoneNames = zoneNames
        }
        if !details.isEmpty {
            for (row, index) in indices.enumerated() { result.details[row] = details[index] }
        }
        if !written.isEmpty {
            result.written = indices.map { written[$0] }
            result.notations = notations
        }
        return result
    }

    /// Returns how the value at `index` is written; `nil` if that is unknown.
    package func writtenNumber(_ index: Int) -> WrittenNumber? {
        guard !written.isEmpty, written[index].notation > 0 else { return nil }
        return WrittenNumber(notation: notations[Int(written[index].notation) - 1], scale: written[index].scale)
    }

    /// Returns one more than the index of the notation, adding it if necessary; 0 if the table is full.
    package mutating func number(of notation: ValueNotation) -> UInt16 {
        if let index = notations.firstIndex(of: notation) { return UInt16(index + 1) }
        guard notations.count < Self.mostNotations else { return 0 }
        notations.append(notation)
        return UInt16(notations.count)
    }

    /// Returns `form` with its number in the table of these columns; `unknown` for none.
    package mutating func writtenValue(of form: WrittenNumber?) -> WrittenValue {
        guard let form else { return .unknown }
        let notation = number(of: form.notation)
        return notation == 0 ? .unknown : WrittenValue(notation: notation, scale: form.scale)
    }

    /// Returns one more than the index of the zone, adding it if necessary; 0 if the table is full.
    private mutating func number(ofZone name: String) -> UInt16 {
        if let number = zoneNumbers.number(of: name, in: zoneNames) { return number }
        guard zoneNames.count < Int(UInt16.max) else { return 0 }
        zoneNames.append(name)
        return UInt16(zoneNames.count)
    }

    /// An index of the zone names. Columns with equal samples are equal whatever was searched in them.
    private struct ZoneNumbers: Sendable, Hashable {
        private static let fewNames = 8
        private var numbers: [String: UInt16] = [:]
        private var names: [String] = []

        /// Returns one more than the index of `name`; `nil` if `all` does not contain it.
        mutating func number(of name: String, in all: [String]) -> UInt16? {
            guard all.count > Self.fewNames else { return all.firstIndex(of: name).map { UInt16($0 + 1) } }
            let isPrefix = names.count <= all.count && names.last == all.prefix(names.count).last
            if !isPrefix { self = ZoneNumbers() }
            for name in all[names.count...] {
                names.append(name)
                numbers[name] = UInt16(names.count)
            }
            // The names may have been replaced by others.
            guard let number = numbers[name], all[Int(number) - 1] != name else { return numbers[name] }
            self = ZoneNumbers()
            return self.number(of: name, in: all)
        }

        static func == (_: ZoneNumbers, _: ZoneNumbers) -> Bool { true }
        func hash(into hasher: inout Hasher) {}
    }
}

extension SampleColumns {
    /// Returns the samples with the values of those in `stored` that are the same measurement, written in another unit or
    /// with other digits, so that they keep their identity. Both are in canonical order, of one origin and one input.
    ///
    /// An equal sample of `stored` is preferred, then the nearest pair. An export states every sample with six digits or
    /// more, so any two agreeing ones are the same; in other inputs only the unit may differ, because they may keep so
    /// few digits that different measurements agree.
    package func aligned(to stored: SampleColumns, isExport: Bool) -> SampleColumns {
        guard !stored.isEmpty else { return self }
        var result = self
        var isChanged = false
        var place = 0
        var first = 0
        while first < count {
            let time = (starts[first], durations[first])
            var end = first + 1
            while end < count, (starts[end], durations[end]) == time { end += 1 }
            while place < stored.count, (stored.starts[place], stored.durations[place]) < time { place += 1 }
            let from = place
            while place < stored.count, (stored.starts[place], stored.durations[place]) == time { place += 1 }
            let isKnown = end == first + 1 && place == from + 1 && values[first] == stored.values[from]
            guard place > from, !isKnown else {
                first = end
                continue
            }
            for (row, other) in pairs(Array(first..<end), Array(from..<place), stored, isExport: isExport) {
                result.values[row] = stored.values[other]
                let form = result.writtenValue(of: stored.writtenNumber(other))
                if result.written.isEmpty, form.notation > 0 {
                    result.written = [WrittenValue](repeating: .unknown, count: count)
                }
                if !result.written.isEmpty { result.written[row] = form }
                isChanged = true
            }
            first = end
        }
        return isChanged ? result.normalized().columns : self
    }

    /// Returns the rows of the same time that are one measurement although their values differ, each with its row in
    /// `stored`.
    private func pairs(
        _ rows: [Int], _ others: [Int], _ stored: SampleColumns, isExport: Bool
    ) -> [(row: Int, other: Int)] {
        guard !others.isEmpty else { return [] }
        let own = rows.filter { row in !others.contains { stored.values[$0] == values[row] } }
        let left = others.filter { other in !rows.contains { values[$0] == stored.values[other] } }
        guard !own.isEmpty, !left.isEmpty else { return [] }
        var found: [(row: Int, other: Int)] = []
        for row in own {
            let precision = precision(row, isExport: isExport)
            for other in left where details[row]?.externalID == stored.details[other]?.externalID {
                let otherPrecision = stored.precision(other, isExport: isExport)
                let mayDiffer = isExport || isOtherUnit(precision, otherPrecision)
                if mayDiffer,
                    ValueAgreement.agree(values[row], precision, stored.values[other], otherPrecision)
                {
                    found.append((row, other))
                }
            }
        }
        found.sort { (distance($0, stored), $0.row, $0.other) < (distance($1, stored), $1.row, $1.other) }
        var usedRows: Set<Int> = []
        var usedOthers: Set<Int> = []
        return found.filter { pair in
            guard !usedRows.contains(pair.row), !usedOthers.contains(pair.other) else { return false }
            usedRows.insert(pair.row)
            usedOthers.insert(pair.other)
            return true
        }
    }

    private func distance(_ pair: (row: Int, other: Int), _ stored: SampleColumns) -> Double {
        (values[pair.row] - stored.values[pair.other]).magnitude
    }

    private func isOtherUnit(_ left: ValuePrecision, _ right: ValuePrecision) -> Bool {
        left.unit != nil && right.unit != nil && left.unit != right.unit
    }
}

/// The samples of one type and origin within a window of time, ascending by start.
public struct OriginSamples: Sendable {
    /// The origin of the samples.
    public let origin: SampleOrigin
    /// The samples.
    public let columns: SampleColumns

    /// Creates the samples of `origin`.
    public init(origin: SampleOrigin, columns: SampleColumns) {
        self.origin = origin
        self.columns = columns
    }
}
