extension RandomAccessCollection {
    /// The first index whose element is not `isBefore`; `endIndex` when all are. Elements for which `isBefore` holds must
    /// stand before all others: found by binary search.
    @inlinable
    package func partitionPoint(_ isBefore: (Element) throws -> Bool) rethrows -> Index {
        var first = startIndex
        var length = count
        while length > 0 {
            let half = length / 2
            let middle = index(first, offsetBy: half)
            if try isBefore(self[middle]) {
                first = index(after: middle)
                length -= half + 1
            } else {
                length = half
            }
        }
        return first
    }
}
