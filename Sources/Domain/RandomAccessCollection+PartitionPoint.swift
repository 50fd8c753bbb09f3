extension RandomAccessCollection {
    /// Returns the first index whose element does not satisfy `isBefore`, or `endIndex` if all do. Elements that
    /// satisfy it must precede all others, because the search is binary.
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
