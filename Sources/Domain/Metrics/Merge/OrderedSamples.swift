extension SampleColumns {
    /// The samples in ascending order of start, length and value, without duplicates: samples of one origin that agree in
    /// all three are the same sample.
    var orderedUnique: SampleColumns { orderedUnique(by: .spans) }

    /// The same for samples that add up by `counting`. Events to which their source gave different identifiers are different
    /// ones: three glasses of water of one second are three. Of spans they are one, which an app wrote again.
    func orderedUnique(by counting: SampleCounting) -> SampleColumns {
        if (1..<max(1, count)).allSatisfy({ starts[$0 - 1] < starts[$0] }) { return self }
        func identifier(_ row: Int) -> ExactText {
            ExactText(counting == .events ? details[row]?.externalID ?? "" : "")
        }
        let order = (0..<count).sorted { left, right in
            let before = (starts[left], durations[left], values[left])
            let after = (starts[right], durations[right], values[right])
            return before == after ? (identifier(left), left) < (identifier(right), right) : before < after
        }
        var kept: [Int] = []
        kept.reserveCapacity(count)
        for index in order {
            if let last = kept.last, starts[last] == starts[index], durations[last] == durations[index],
                values[last] == values[index], identifier(last) == identifier(index)
            {
                continue
            }
            kept.append(index)
        }
        return selecting(kept)
    }
}
