/// Rounds shares to whole numbers that sum to a whole total: each is rounded down, and the rest goes to the largest
/// remainders (Hamilton's method); of equal ones, to the earlier.
enum LargestRemainder {
    /// Returns `shares`, which must sum to `total` except for rounding, as whole numbers that sum to `total` exactly.
    static func apportion(_ total: Double, over shares: [Double]) -> [Double] {
        // Above 2^53 all doubles are whole, and adding 1 no longer gives another number.
        guard total < 9_007_199_254_740_992 else { return shares }
        var whole = shares.map(wholePart)
        let missing = Int(total - whole.reduce(0, +))
        guard missing != 0 else { return whole }
        let remainders = zip(shares, whole).map { $0 - $1 }
        let unit = missing > 0 ? 1.0 : -1.0
        let order = shares.indices.sorted { (remainders[$1] * unit, $0) < (remainders[$0] * unit, $1) }
        for index in order.prefix(abs(missing)) { whole[index] += unit }
        return whole
    }

    /// Returns the whole part. A share that is whole except for rounding must not lose a unit to another share.
    private static func wholePart(_ share: Double) -> Double {
        let nearest = share.rounded()
        return abs(share - nearest) <= min(0.25, max(1e-9, share * 1e-12)) ? nearest : share.rounded(.down)
    }
}
