extension SampleColumns {
    /// The samples in ascending order of start, length and value, without duplicates: samples of one origin that agree in
    /// all three are the same sample.
    var orderedUnique: SampleColumns {
        if (1..<max(1, count)).allSatisfy({ starts[$0 - 1] < starts[$0] }) { return self }
        let order = (0..<count).sorted {
            (starts[$0], durations[$0], values[$0], $0) < (starts[$1], durations[$1], values[$1], $1)
        }
        var kept: [Int] = []
        kept.reserveCapacity(count)
        for index in order {
            if let last = kept.last, starts[last] == starts[index], durations[last] == durations[index],
                values[last] == values[index]
            {
                continue
            }
            kept.append(index)
        }
        return selecting(kept)
    }
}
