extension SampleColumns {
    /// How samples of one origin with the same identity are merged.
    package enum Upsert: Sendable {
        /// Equal samples are kept once. Of samples with the same external id, the highest version is kept, and of
        /// equal versions the last one.
        case byContent
        /// Of buckets with the same start, length and external id, the one with the highest version is kept, and of equal
        /// versions the last one, because the sender corrected it. A bucket that was sent before it ended is kept only while no longer bucket has the same start.
        case byBucket
    }

    /// Returns the unique samples in canonical order and the number of repeated or outdated samples left out.
    ///
    /// The canonical order is by start, length, value, zone and notation, so it does not depend on the order of reading.
    /// Of equal samples, one with a zone is preferred to one without, and one with more digits to one with fewer.
    package func normalized(_ upsert: Upsert = .byContent) -> (columns: SampleColumns, repeated: Int) {
        if isUniqueInOrder(upsert) { return (withTablesInOrder(), 0) }
        var order = Array(0..<count)
        switch upsert {
        case .byContent: order.sort(by: precedes)
        case .byBucket:
            order.sort { left, right in
                let (before, after) = (details[left], details[right])
                return (starts[left], durations[left], before?.externalID ?? "", before?.syncVersion ?? .min, left)
                    < (starts[right], durations[right], after?.externalID ?? "", after?.syncVersion ?? .min, right)
            }
        }
        var kept: [Int] = []
        kept.reserveCapacity(order.count)
        for index in order {
            if let last = kept.last, replaces(index, last, upsert) {
                kept[kept.count - 1] = index
            } else {
                kept.append(index)
            }
        }
        if !details.isEmpty { kept = withoutOutdatedVersions(kept) }
        if upsert == .byBucket { kept = withoutUnfinished(kept) }
        let result = kept.count == count && kept.elementsEqual(0..<count) ? self : selecting(kept)
        return (result.withTablesInOrder(), count - kept.count)
    }

    /// Returns whether `normalized` would change nothing. May return false for samples with details that it would not
    /// change.
    package func isNormalized(_ upsert: Upsert) -> Bool { isUniqueInOrder(upsert) && hasTablesInOrder }

    private func isUniqueInOrder(_ upsert: Upsert) -> Bool {
        isInStrictOrder && details.isEmpty && (upsert == .byContent || bucketsDiffer)
    }

    private var hasTablesInOrder: Bool {
        guard hasNotationsInOrder else { return false }
        guard !zoneNames.isEmpty else { return true }
        return zip(zoneNames, zoneNames.dropFirst()).allSatisfy { $0 < $1 }
            && Set(zones).subtracting([0]).count == zoneNames.count
    }

    private var isInStrictOrder: Bool {
        for index in 1..<Swift.max(count, 1) {
            let before = (starts[index - 1], durations[index - 1], values[index - 1])
            if before >= (starts[index], durations[index], values[index]) { return false }
        }
        return true
    }

    private var bucketsDiffer: Bool {
        for index in 1..<Swift.max(count, 1)
        where starts[index - 1] == starts[index] {
            if durations[index - 1] == durations[index] { return false }
            if UnfinishedBucket.isUnfinished(duration: durations[index - 1]) { return false }
        }
        return true
    }

    private func precedes(_ left: Int, _ right: Int) -> Bool {
        if starts[left] != starts[right] { return starts[left] < starts[right] }
        if durations[left] != durations[right] { return durations[left] < durations[right] }
        if values[left] != values[right] { return values[left] < values[right] }
        let (before, after) = (details[left]?.orderingText ?? "", details[right]?.orderingText ?? "")
        let (zone, otherZone) = (zoneName(left) ?? "", zoneName(right) ?? "")
        if (before, zone) != (after, otherZone) { return (before, zone) < (after, otherZone) }
        return isWrittenLess(left, right)
    }

    private func replaces(_ index: Int, _ last: Int, _ upsert: Upsert) -> Bool {
        guard starts[index] == starts[last], durations[index] == durations[last] else { return false }
        // The states of an aggregated night cover the same interval and differ only in their external id.
        if upsert == .byBucket { return externalID(index) == externalID(last) }
        return values[index] == values[last] && details[index]?.orderingText == details[last]?.orderingText
    }

    private func externalID(_ index: Int) -> ExactText? { details[index]?.externalID.map { ExactText($0) } }

    private func withoutOutdatedVersions(_ kept: [Int]) -> [Int] {
        var newest: [ExactText: Int] = [:]
        for index in kept {
            guard let id = externalID(index) else { continue }
            if let other = newest[id], (version(other), other) > (version(index), index) { continue }
            newest[id] = index
        }
        return kept.filter { index in externalID(index).map { newest[$0] == index } ?? true }
    }

    /// Removes unfinished buckets that a longer one replaces. `kept` is ordered by start and length.
    private func withoutUnfinished(_ kept: [Int]) -> [Int] {
        func replaces(_ later: Int, _ index: Int) -> Bool {
            starts[later] == starts[index] && durations[later] > durations[index] && details[later]?.externalID == nil
        }
        return kept.enumerated().filter { place, index in
            guard UnfinishedBucket.isUnfinished(duration: durations[index]), details[index]?.externalID == nil else {
                return true
            }
            return !kept[(place + 1)...].prefix { starts[$0] == starts[index] }.contains { replaces($0, index) }
        }
        .map(\.element)
    }

    private func version(_ index: Int) -> Int64 { details[index]?.syncVersion ?? 0 }

    /// Returns the columns with only the zone names and notations in use, each once, sorted.
    private func withTablesInOrder() -> SampleColumns {
        withNotationsInOrder().withZoneNamesInOrder()
    }

    private func withZoneNamesInOrder() -> SampleColumns {
        guard !zoneNames.isEmpty else { return self }
        var result = self
        let used = Set(zones).subtracting([0]).map { zoneNames[Int($0) - 1] }.sorted()
        result.zoneNames = used
        let places = Dictionary(
            used.enumerated().map { ($1, UInt16($0 + 1)) }, uniquingKeysWith: { first, _ in first })
        result.zones = used.isEmpty ? [] : zones.map { $0 == 0 ? 0 : places[zoneNames[Int($0) - 1]] ?? 0 }
        return result
    }
}

extension SampleDetail {
    /// A text for ordering and comparing details.
    fileprivate var orderingText: String {
        let members = [
            externalID, syncVersion.map(String.init), minimum.map(CanonicalNumber.text),
            maximum.map(CanonicalNumber.text),
            measurementCount.map(String.init), stateMilliseconds.map(String.init),
        ]
        return members.map { $0 ?? "" }.joined(separator: "\u{1F}")
    }
}

extension SampleColumns {
    /// Whether every notation is in use, and they are in order.
    private var hasNotationsInOrder: Bool {
        guard !written.isEmpty || !notations.isEmpty else { return true }
        let used = usedNotations
        guard used.count == notations.count, !used.isEmpty else { return false }
        return zip(notations, notations.dropFirst()).allSatisfy { $0.orderingKey < $1.orderingKey }
    }

    /// Returns the columns with only the notations in use, each once, sorted.
    private func withNotationsInOrder() -> SampleColumns {
        guard !hasNotationsInOrder else { return self }
        var result = self
        let used = usedNotations.map { notations[Int($0) - 1] }.sorted { $0.orderingKey < $1.orderingKey }
        result.notations = used
        guard !used.isEmpty else {
            result.written = []
            return result
        }
        let places = notations.map { notation in UInt16((used.firstIndex(of: notation) ?? -1) + 1) }
        result.written = written.map { form in
            form.notation == 0
                ? .unknown : WrittenValue(notation: places[Int(form.notation) - 1], scale: form.scale)
        }
        return result
    }

    /// Whether the value at `left` is less exact than the equal one at `right`, or ordered before it.
    private func isWrittenLess(_ left: Int, _ right: Int) -> Bool {
        guard !written.isEmpty, written[left] != written[right] else { return false }
        guard let first = writtenNumber(left) else { return true }
        guard let second = writtenNumber(right) else { return false }
        let halves = [(left, first), (right, second)].map { row, form in
            ValuePrecision(of: values[row], notation: form.notation, scale: form.scale).half
        }
        if halves[0] != halves[1] { return halves[0] > halves[1] }
        if first.scale != second.scale { return first.scale < second.scale }
        return first.notation.orderingKey < second.notation.orderingKey
    }

    private var usedNotations: Set<UInt16> {
        var used: Set<UInt16> = []
        var last: UInt16 = 0
        for form in written where form.notation != last {
            last = form.notation
            if last > 0 { used.insert(last) }
        }
        return used
    }
}

/// A bucket whose sum or mean was sent before the bucket ended. Its value must not be spread over the future.
package enum UnfinishedBucket {
    /// Returns the duration of a bucket that was sent at `moment`, truncated to end there. All values are in
    /// milliseconds.
    ///
    /// The duration of a truncated bucket is never a whole number of minutes, which identifies it as unfinished.
    package static func duration(start: Int64, duration: Int64, statedAt moment: Int64) -> Int64 {
        guard start < moment, moment < start &+ duration else { return duration }
        let seconds = (moment - start) / 1000
        return max(1, seconds.isMultiple(of: 60) ? seconds - 1 : seconds) * 1000
    }

    /// Returns whether a bucket with this duration was sent before it ended.
    package static func isUnfinished(duration: Int64) -> Bool { duration % 60_000 != 0 }
}
