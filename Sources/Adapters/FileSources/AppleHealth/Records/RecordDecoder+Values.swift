import HealthSyncDomain

extension RecordDecoder {
    /// Decodes the values of a quantity into `row`; returns the reason if that fails.
    @inline(__always)
    mutating func decodeQuantity(
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
    mutating func decodeState(
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
