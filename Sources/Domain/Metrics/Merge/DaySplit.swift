/// The part of a sample on one day.
struct DayPart {
    /// The index of the day in the grid; negative or too large outside it.
    let day: Int
    /// The start in milliseconds since 1970.
    let start: Int64
    /// The end in milliseconds since 1970.
    let end: Int64
    /// The part's share of the value.
    let amount: Double

    /// Returns what remains of the part after `instant`, with its share of the amount; `nil` if nothing does. A part without
    /// length remains.
    func after(_ instant: Int64?) -> DayPart? {
        guard let instant, instant > start, start < end else { return self }
        guard instant < end else { return nil }
        return DayPart(
            day: day, start: instant, end: end, amount: amount * (Double(end - instant) / Double(end - start)))
    }
}

/// Divides a sample at the boundaries of days in proportion to time.
enum DaySplit {
    /// Returns the parts of a sample with length by the clock of `grid`, those outside its days included. With `isWhole`, a
    /// whole value is divided into whole numbers that sum to it, which depends on all days that the sample touches.
    static func parts(start: Int64, end: Int64, value: Double, isWhole: Bool, grid: BucketGrid) -> [DayPart] {
        var day = grid.clock.day(of: Instant(milliseconds: start))
        var cuts: [(day: Int, start: Int64, end: Int64)] = []
        var low = start
        while low < end {
            let high = min(end, grid.clock.start(of: day.advanced(by: 1)).milliseconds)
            if low < high { cuts.append((day.ordinal - grid.days.first.ordinal, low, high)) }
            low = max(low, high)
            day = day.advanced(by: 1)
        }
        let length = Double(end - start)
        var amounts = cuts.map { value * (Double($0.end - $0.start) / length) }
        if isWhole, value == value.rounded() { amounts = LargestRemainder.apportion(value, over: amounts) }
        return zip(cuts, amounts).map { DayPart(day: $0.day, start: $0.start, end: $0.end, amount: $1) }
    }
}
