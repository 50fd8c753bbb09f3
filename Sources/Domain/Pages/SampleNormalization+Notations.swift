extension SampleColumns {
    /// Whether every notation is in use, and they are in order.
    var hasNotationsInOrder: Bool {
        guard !written.isEmpty || !notations.isEmpty else { return true }
        let used = usedNotations
        guard used.count == notations.count, !used.isEmpty else { return false }
        return zip(notations, notations.dropFirst()).allSatisfy { $0.orderingKey < $1.orderingKey }
    }

    /// Returns the columns with only the notations in use, each once, sorted.
    func withNotationsInOrder() -> SampleColumns {
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
    func isWrittenLess(_ left: Int, _ right: Int) -> Bool {
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
