/// One day at a glance, put together after the metrics of the day. What was not measured is absent, never 0.
public struct ActivitySnapshot: Hashable, Sendable, Codable {
    /// The calendar day.
    public var day: CalendarDay
    /// Merged steps.
    public var steps: Double?
    /// Kilometres walked and run.
    public var walkingDistanceKilometres: Double?
    /// Active energy in kilocalories.
    public var activeEnergyKilocalories: Double?
    /// Minutes of exercise.
    public var exerciseMinutes: Double?
    /// Resting heart rate per minute.
    public var restingHeartRate: Double?
    /// Minutes asleep in the main sleep of the night.
    public var minutesAsleep: Double?

    /// An empty snapshot of `day`.
    public init(day: CalendarDay) { self.day = day }

    /// Whether nothing was measured.
    public var isEmpty: Bool { self == ActivitySnapshot(day: day) }
}
