/// The quantity of one metric on one calendar day.
public struct DailyQuantity: Hashable, Sendable {
    /// The calendar day, in the user's zone.
    public var day: CalendarDay
    /// The quantity in the unit of the metric; minutes asleep for sleep.
    public var quantity: Double

    /// Creates the quantity of `day`.
    public init(day: CalendarDay, quantity: Double) {
        self.day = day
        self.quantity = quantity
    }
}
