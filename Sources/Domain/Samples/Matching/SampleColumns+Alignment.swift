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
