/// Rounds shares to whole numbers that sum to a whole: each is rounded down, and what is missing goes to the largest
/// remainders (Hamilton's method), among equal ones to the earlier.
enum LargestRemainder {
    /// `shares`, which sum to `total` but for rounding, as whole numbers that sum to `total` exactly.
    static func apportion(_ total: Double, over shares: [Double]) -> [Double] {
        // Above 2^53 doubles are all whole, and one more is no longer another number.
        guard total < 9_007_199_254_740_992 else { return shares }
        // A share that is whole but for the rounding of a double must not lose its unit to another.
        var whole = shares.map { ($0 + 1e-9 * max(1, $0)).rounded(.down) }
        let missing = Int(total - whole.reduce(0, +))
        guard missing > 0 else { return whole }
        let remainders = zip(shares, whole).map { $0 - $1 }
        let order = shares.indices.sorted { (remainders[$1], $0) < (remainders[$0], $1) }
        for index in order.prefix(missing) { whole[index] += 1 }
        return whole
    }
}
