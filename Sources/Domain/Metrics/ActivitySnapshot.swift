/// A summary of one day, built after the metrics of the day. A value without measurements is absent, never 0.
public struct ActivitySnapshot: Hashable, Sendable, Codable {
    /// The calendar day, in the user's zone.
    public var day: CalendarDay
    /// Merged steps.
    public var steps: Double?
    /// Kilometers walked and run.
    public var walkingDistanceKilometres: Double?
    /// Active energy in kilocalories.
    public var activeEnergyKilocalories: Double?
    /// Minutes of exercise.
    public var exerciseMinutes: Double?
    /// Resting heart rate per minute.
    public var restingHeartRate: Double?
    /// Minutes asleep in the main sleep of the night before.
    public var minutesAsleep: Double?

    /// Creates an empty snapshot of `day`.
    public init(day: CalendarDay) { self.day = day }

    /// Whether the snapshot has no value.
    public var isEmpty: Bool { self == ActivitySnapshot(day: day) }
}
